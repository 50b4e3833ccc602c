import { registerGauges } from '@daylift/server/metrics';
import type { FailedDeps } from './end-failed.ts';

/** Reports failed items by kind. */
export function measureFailed<T>({ db, sources }: Pick<FailedDeps<T>, 'db' | 'sources'>): void {
  registerGauges([
    {
      name: 'parked_items',
      help: 'Failed events, tasks, mails and texts that wait for an admin',
      labelNames: ['kind'],
      read: () =>
        Promise.all(
          sources.map(async (source) => ({
            labels: { kind: source.kind },
            value: await source.count(db, {}),
          })),
        ),
    },
  ]);
}
