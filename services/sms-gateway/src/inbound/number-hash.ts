import { createHmac, hkdfSync } from 'node:crypto';

/** Turns a number into the key under which its opt-out is kept: the list says nothing to whoever steals it. */
export type NumberHash = (number: string) => string;

export function createNumberHash(options: {
  key: string | undefined;
  fallbackSecret: string;
}): NumberHash {
  const key =
    options.key ??
    Buffer.from(hkdfSync('sha256', options.fallbackSecret, '', 'daylift opt-out numbers', 32));
  return (number) => createHmac('sha256', key).update(number).digest('hex');
}
