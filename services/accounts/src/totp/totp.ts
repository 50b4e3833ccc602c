import { Secret, TOTP } from 'otpauth';

const periodMs = 30_000;

export const newSecret = (): string => new Secret({ size: 20 }).base32;

const totpOf = (secret: string, issuer: string, username: string) =>
  new TOTP({ issuer, label: username, secret: Secret.fromBase32(secret), period: periodMs / 1000 });

export const otpauthUrl = (secret: string, issuer: string, username: string): string =>
  totpOf(secret, issuer, username).toString();

/** Returns the 30-second step of a code, now or one before or after, or null. */
export function stepOf(secret: string, code: string, wall: Date): number | null {
  const timestamp = wall.getTime();
  const delta = totpOf(secret, '', '').validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : Math.floor(timestamp / periodMs) + delta;
}
