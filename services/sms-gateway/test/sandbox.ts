import { generateKeyPairSync, sign } from 'node:crypto';
import { startTestSandbox } from '@daylift/testing/sandbox';

export const telnyxKey = 'KEYSANDBOX0123456789';
export const smsFrom = '+18885550123';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
/** The product's setting: base64 of the raw 32 bytes. */
export const telnyxPublicKey = publicKey
  .export({ type: 'spki', format: 'der' })
  .subarray(12)
  .toString('base64');

/** Returns the headers with which the provider would send this body. */
export function signed(body: string, atMs = Date.now(), key = privateKey): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1_000));
  return {
    'content-type': 'application/json',
    'telnyx-timestamp': timestamp,
    'telnyx-signature-ed25519': sign(null, Buffer.from(`${timestamp}|${body}`), key).toString(
      'base64',
    ),
  };
}

/** A text in the provider's log: the expected result of every test. */
export interface LoggedText {
  id: string;
  to: string;
  text: string;
  from: string;
  dispatch: string;
  accepted_at: string;
  accepted_wall_at: string;
  status: string;
  cost: string | null;
  retry_count: number;
}

export interface TestSandbox {
  url: string;
  smtpPort: number;
  /** Returns received mails to an address, oldest first. */
  emails(to: string): Promise<{ subject: string; text: string }[]>;
  texts(to?: string): Promise<LoggedText[]>;
  /** Returns every number lookup. */
  lookups(): Promise<{ number: string; at: string }[]>;
  /** Changes the given dials; others stay. */
  faults(dials: Record<string, unknown>): Promise<void>;
  /** `to` is the sender that is texted; the first one by default. */
  reply(from: string, text: string, to?: string): Promise<void>;
  /** Advances the product's clock and returns its new offset. */
  advanceTo(instant: Date): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a sandbox, by default in this process. `publicUrl` is the product's public URL. */
export async function startSandbox(
  options: { publicUrl: string; clockStart: string },
  start = startTestSandbox,
): Promise<TestSandbox> {
  const { url, smtpPort, call, stop } = await start({
    CLOCK_START: options.clockStart,
    PUBLIC_URL: options.publicUrl,
    STRIPE_WEBHOOK_URL: `${options.publicUrl}/api/webhooks/stripe`,
    TELNYX_API_KEY: telnyxKey,
    TELNYX_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim(),
    TELNYX_WEBHOOK_URL: `${options.publicUrl}/api/webhooks/telnyx/inbound`,
    SMS_FROM: smsFrom,
  });
  return {
    url,
    smtpPort,
    stop,
    emails: (to) => call(`/sandbox/emails?to=${encodeURIComponent(to)}`),
    texts: (to) =>
      call(`/sandbox/messages${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`),
    lookups: () => call('/sandbox/lookups'),
    faults: (dials) => call('/sandbox/faults', dials),
    reply: (from, text, to) => call('/sandbox/inbound', { from, text, ...(to && { to }) }),
    async advanceTo(instant) {
      await call('/sandbox/clock', { advance_to: instant.toISOString() });
      return (await call<{ offset_ms: number }>('/sandbox/clock')).offset_ms;
    },
  };
}
