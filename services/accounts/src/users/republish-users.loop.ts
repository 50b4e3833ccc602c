import type { Loop } from '@daylift/server/loops';
import type { AccountsDeps } from '../deps.ts';
import { publishContact, publishUser } from './user-events.ts';
import { lockUser, updateUser } from './users.repository.ts';

const atOnce = 50;

/** Publishes the users that a migration has marked, as a new version, because consumers drop one they know. */
export function republishUsersLoop(
  deps: Pick<AccountsDeps, 'db' | 'clock' | 'identityHash'>,
): Loop {
  return {
    name: 'republish-users',
    everyMs: 1_000,
    run: () =>
      deps.db.transaction().execute(async (trx) => {
        const now = deps.clock.now();
        const marked = await trx
          .deleteFrom('users_to_republish')
          .where('user_id', 'in', (query) =>
            query
              .selectFrom('users_to_republish')
              .select('user_id')
              .orderBy('user_id')
              .limit(atOnce)
              .forUpdate()
              .skipLocked(),
          )
          .returning('user_id')
          .execute();
        for (const { user_id } of marked) {
          const user = await lockUser(trx, user_id);
          if (user === undefined) continue;
          const next = await updateUser(trx, user_id, { version: user.version + 1 });
          await publishUser(trx, next, now);
          await publishContact(trx, deps.identityHash, next, now);
        }
        return marked.length;
      }),
  };
}
