import { createHmac } from 'node:crypto';

export type IdentityHash = (value: string) => string;

/** Keyed, so that nobody without the key can try out all numbers; the same value always gives the same hash. */
export function createIdentityHash(key: string): IdentityHash {
  return (value) => createHmac('sha256', key).update(value).digest('hex');
}
