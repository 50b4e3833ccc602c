import { createHmac } from 'node:crypto';

const digits = 6;

/**
 * Returns the six-digit code of a request. It derives from a key whenever it's sent or compared, and is never stored.
 */
export function oneTimeCode(key: string, requestId: string): string {
  const hash = createHmac('sha256', key).update(`one-time-code:${requestId}`).digest();
  // 48 bits over a million: the remainder's bias is below 1 in 10^8.
  return String(hash.readUIntBE(0, 6) % 10 ** digits).padStart(digits, '0');
}

/** Returns the token of a texted link: 128 bits in base64url, derived from a key like a code. */
export function linkToken(key: string, linkId: string): string {
  const hash = createHmac('sha256', key).update(`link:${linkId}`).digest();
  return hash.subarray(0, 16).toString('base64url');
}
