import type { LiveUpdate } from '@daylift/contracts/live.http';
import { type FollowOptions, followEvents } from './follow-events.ts';
import { openEvents } from './open-events.ts';
import type { Client } from './request.ts';

/** The server sends a heartbeat every 15 s; this allows for two missed ones. */
const silentMs = 40_000;

export const createAdminLiveApi = ({ call, send }: Client) => ({
  follow: (options: Pick<FollowOptions<LiveUpdate>, 'onEvent' | 'onFailure' | 'signal'>) =>
    followEvents<LiveUpdate>({
      ...options,
      silentMs,
      open: (signal) => openEvents(send, 'GET /admin/live', { signal }),
    }),
  poll: (signal?: AbortSignal) => call('GET /admin/live', { signal }),
});
