import type { Loop } from '@daylift/server/loops';
import type { Transaction } from 'kysely';
import type { AccountsDatabase } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { publishContact, publishUser } from './user-events.ts';
import { lockUser, updateUser } from './users.repository.ts';

type Deps = Pick<AccountsDeps, 'db' | 'clock' | 'identityHash'>;

const atOnce = 50;

/** Publishes the users that a migration has marked, as a new version, because consumers drop one they know. */
export function republishUsersLoop(deps: Deps): Loop {
  return {
    name: 'republish-users',
    everyMs: 1_000,
    async run() {
      let done = 0;
      // One transaction each: holding several users could deadlock with work that locks them in another order.
      while (done < atOnce && (await deps.db.transaction().execute((trx) => republish(trx, deps))))
        done += 1;
      return done;
    },
  };
}

/** Republishes the next marked user, unless deleted meanwhile. Returns false if none is left. */
async function republish(trx: Transaction<AccountsDatabase>, deps: Deps): Promise<boolean> {
  const marked = await trx
    .deleteFrom('users_to_republish')
    .where('user_id', '=', (query) =>
      query
        .selectFrom('users_to_republish')
        .select('user_id')
        .orderBy('user_id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning('user_id')
    .executeTakeFirst();
  if (marked === undefined) return false;
  const user = await lockUser(trx, marked.user_id);
  if (user === undefined) return true;
  const now = deps.clock.now();
  const next = await updateUser(trx, user.id, { version: user.version + 1 });
  await publishUser(trx, next, now);
  await publishContact(trx, deps.identityHash, next, now);
  return true;
}
