import { randomUUID } from 'node:crypto';
import type { Identity } from '@daylift/server/identity';

export const owner = (): Identity => ({
  ...{ kind: 'admin', admin_id: randomUUID(), username: 'olive', role: 'owner' },
  session_version: 0,
});
export const userOf = (user_id: string): Identity => ({
  ...{ kind: 'user', user_id, session_version: 0 },
});
export const gateway: Identity = { kind: 'service', name: 'gateway' };
