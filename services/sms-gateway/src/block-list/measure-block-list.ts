import { registerGauges } from '@daylift/server/metrics';
import type { SmsDeps } from '../deps.ts';
import { findCheck } from './block-list.repository.ts';

export function measureBlockList({ db }: Pick<SmsDeps, 'db'>): void {
  registerGauges([
    {
      name: 'sms_opt_outs_only_here',
      help: "Opted-out numbers that the provider's block list doesn't have",
      read: async () => (await findCheck(db)).only_here ?? 0,
    },
    {
      name: 'sms_opt_outs_lifted_at_provider',
      help: 'Those of them that it had at the comparison before',
      read: async () => (await findCheck(db)).lifted ?? 0,
    },
  ]);
}
