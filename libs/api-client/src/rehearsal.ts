import type { Rehearsal, RehearsedSkips } from '@daylift/contracts/rehearsal.http';
import type { Client } from './request.ts';

/** What the coming hours will do. */
export const createRehearsalApi = ({ callPath: call }: Pick<Client, 'callPath'>) => ({
  read: (signal?: AbortSignal) => call<Rehearsal>('GET', '/admin/rehearsal', { signal }),
  listSkipped: (query: { reason: string; cursor?: string | undefined }, signal?: AbortSignal) =>
    call<RehearsedSkips>('GET', '/admin/rehearsal/skipped', { query, signal }),
});
