import type { Loop } from '@daylift/server/loops';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { publishContact, publishUser } from './user-events.ts';
import { lockUser, takeUserToRepublish, updateUser } from './users.repository.ts';

type Deps = Pick<AccountsDeps, 'db' | 'clock' | 'identityHash'>;

const batchSize = 50;

/** Publishes the users that a migration has marked, as a new version, because consumers drop one they know. */
export function republishUsersLoop(deps: Deps): Loop {
  return {
    name: 'republish-users',
    everyMs: 1_000,
    async run() {
      let done = 0;
      // One transaction each: holding several users could deadlock with work that locks them in another order.
      while (
        done < batchSize &&
        (await deps.db.transaction().execute((trx) => republish(trx, deps)))
      )
        done += 1;
      return done;
    },
  };
}

/** Republishes the next marked user, unless deleted meanwhile. Returns false if none is left. */
async function republish(trx: Trx, deps: Deps): Promise<boolean> {
  const id = await takeUserToRepublish(trx);
  if (id === undefined) return false;
  const user = await lockUser(trx, id);
  if (user === undefined) return true;
  const now = deps.clock.now();
  const next = await updateUser(trx, user.id, { version: user.version + 1 });
  await publishUser(trx, next, now);
  await publishContact(trx, deps.identityHash, next, now);
  return true;
}
