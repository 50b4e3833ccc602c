import { createHmac } from 'node:crypto';
import { clientNetwork } from '@daylift/server/client-network';

export type IdentityHash = (value: string) => string;

/** Keyed, so that nobody without the key can try out all numbers; the same value always gives the same hash. */
export function createIdentityHash(key: string): IdentityHash {
  return (value) => createHmac('sha256', key).update(value).digest('hex');
}

/** Returns what the limits of one client are counted by. */
export const clientHashOf = (deps: { identityHash: IdentityHash }, ip: string): string =>
  deps.identityHash(clientNetwork(ip));
