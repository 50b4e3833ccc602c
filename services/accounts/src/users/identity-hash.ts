import { createHmac } from 'node:crypto';
import { clientNetwork } from '@daylift/server/client-network';

export type IdentityHash = (value: string) => string;

/** Returns a keyed hash, so values can't be found by trying without the key. */
export function createIdentityHash(key: string): IdentityHash {
  return (value) => createHmac('sha256', key).update(value).digest('hex');
}

/** Returns what the limits of one client are counted by. */
export const clientHashOf = (deps: { identityHash: IdentityHash }, ip: string): string =>
  deps.identityHash(clientNetwork(ip));
