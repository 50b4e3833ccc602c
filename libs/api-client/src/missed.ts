import type { MissedTexts } from '@daylift/contracts/missed.http';
import type { Client } from './request.ts';

/** Who was due on a date and got nothing; with a reason, who exactly. */
export const createMissedApi = ({ callPath: call }: Pick<Client, 'callPath'>) => ({
  read: (
    query: { date?: string | undefined; reason?: string | undefined; cursor?: string | undefined },
    signal?: AbortSignal,
  ) => call<MissedTexts>('GET', '/admin/missed', { query, signal }),
});
