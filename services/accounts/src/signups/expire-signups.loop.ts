import type { Loop } from '@daylift/server/loops';
import { eraseAccount } from '../deletions/deletions.actions.ts';
import type { AccountsDeps } from '../deps.ts';

const atOnce = 20;

/** Erases signups that were neither paid nor proven in time. */
export function expireSignupsLoop(deps: Pick<AccountsDeps, 'db' | 'clock' | 'identityHash'>): Loop {
  return {
    name: 'expire-signups',
    everyMs: 1_000,
    run: () =>
      deps.db.transaction().execute(async (trx) => {
        const expired = await trx
          .selectFrom('users')
          .selectAll()
          .where('expires_at', '<=', deps.clock.now())
          .where('subscription_version', '=', 0)
          .orderBy('expires_at')
          .limit(atOnce)
          .forUpdate()
          .skipLocked()
          .execute();
        for (const user of expired) await eraseAccount(trx, deps, user, null, { expired: true });
        return expired.length;
      }),
  };
}
