import { hourMs } from '@daylift/clock/durations';
import type { Loop } from '@daylift/server/loops';
import { deleteOldAddressCalls } from '../proofs/address-calls.repository.ts';
import { deleteOldLinks } from '../proofs/contact-links.repository.ts';
import { deleteOldCodes } from './one-time-codes.repository.ts';
import { type CodeDeps, sendCodes } from './send-codes.ts';

export function oneTimeCodeLoops(deps: CodeDeps): Loop[] {
  return [
    // Separate from the request, so responses take equally long with and without a code.
    { name: 'send-codes', everyMs: 500, run: () => sendCodes(deps) },
    {
      name: 'forget-codes',
      everyMs: hourMs,
      run: async () => {
        await deleteOldCodes(deps.db, new Date());
        await deleteOldAddressCalls(deps.db, new Date());
        await deleteOldLinks(deps.db, deps.clock.now());
        return 0;
      },
    },
  ];
}
