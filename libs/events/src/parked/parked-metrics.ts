import { registerGauges } from '@daylift/server/metrics';
import type { ParkedDeps } from './end-parked.ts';

/** Reports failed items by kind. */
export function measureParked<T>({ db, sources }: Pick<ParkedDeps<T>, 'db' | 'sources'>): void {
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
