import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns a new identifier such as `cus_NffrFeUfNV2Hib`. */
export function newId(prefix: string, length = 24): string {
  let id = `${prefix}_`;
  for (const byte of randomBytes(length)) id += ALPHABET[byte % ALPHABET.length];
  return id;
}
