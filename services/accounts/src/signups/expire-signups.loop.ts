import type { Loop } from '@daylift/server/loops';
import { eraseAccount } from '../deletions/deletions.actions.ts';
import type { AccountsDeps } from '../deps.ts';
import { lockExpiredSignups } from './signups.repository.ts';

const batchSize = 20;

export function expireSignupsLoop(deps: Pick<AccountsDeps, 'db' | 'clock' | 'identityHash'>): Loop {
  return {
    name: 'expire-signups',
    everyMs: 1_000,
    run: () =>
      deps.db.transaction().execute(async (trx) => {
        const expired = await lockExpiredSignups(trx, deps.clock.now(), batchSize);
        for (const user of expired) await eraseAccount(trx, deps, user, null, { expired: true });
        return expired.length;
      }),
  };
}
