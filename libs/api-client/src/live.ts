import type { LiveUpdate } from '@daylift/contracts/live.http';
import { type FollowOptions, followEvents } from './follow-events.ts';
import { openEvents } from './open-events.ts';
import type { Client } from './request.ts';

/** The server gives a sign of life every 15 s; two that are missing and a little more are no delay. */
const silentMs = 40_000;

/** What changes while an admin looks: as it changes, or one look. */
export const createAdminLiveApi = ({ call, send }: Client) => ({
  follow: (options: Pick<FollowOptions<LiveUpdate>, 'onEvent' | 'onFailure' | 'signal'>) =>
    followEvents<LiveUpdate>({
      ...options,
      silentMs,
      open: (signal) => openEvents(send, 'GET /admin/live', { signal }),
    }),
  look: (signal?: AbortSignal) => call('GET /admin/live', { signal }),
});
