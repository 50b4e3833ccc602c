import { hourMs } from '@daylift/clock/durations';
import type { Loop } from '@daylift/server/loops';
import type { AccountsDeps } from '../deps.ts';
import { deleteOldCodes } from '../one-time-codes/one-time-codes.repository.ts';
import { deleteOldAddressCalls } from '../users/address-calls.repository.ts';
import { deleteOldLinks } from './contact-links.repository.ts';

export const forgetCodesLoop = ({ db, clock }: Pick<AccountsDeps, 'db' | 'clock'>): Loop => ({
  name: 'forget-codes',
  everyMs: hourMs,
  run: async () => {
    await deleteOldCodes(db, new Date());
    await deleteOldAddressCalls(db, new Date());
    await deleteOldLinks(db, clock.now());
    return 0;
  },
});
