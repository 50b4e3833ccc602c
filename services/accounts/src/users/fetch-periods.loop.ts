import type { Renewal } from '@daylift/contracts/billing.http';
import type { Loop } from '@daylift/server/loops';
import type { AccountsDeps } from '../deps.ts';
import { findUsersWithoutPeriod, storePeriod } from './users.repository.ts';

/** Keeps the query string short. */
const batchSize = 100;

/** Fetches the periods of subscriptions that the previous version of this service stored without them. */
export function fetchPeriodsLoop({ db, exportParts }: Pick<AccountsDeps, 'db' | 'exportParts'>) {
  return {
    name: 'fetch-periods',
    everyMs: 10_000,
    async run() {
      const users = await findUsersWithoutPeriod(db, batchSize);
      if (users.length === 0) return 0;
      const ids = users.map(({ id }) => id).join(',');
      const found = await exportParts.billing.get<Renewal[]>(`/internal/renewals?ids=${ids}`);
      const renewals = new Map(found?.map((one) => [one.user_id, one]));
      for (const user of users) await storePeriod(db, user, renewals.get(user.id));
      return users.length;
    },
  } satisfies Loop;
}
