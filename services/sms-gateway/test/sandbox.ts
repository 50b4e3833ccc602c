import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

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
  dispatch: string;
  accepted_at: string;
  accepted_wall_at: string;
  status: string;
  cost: string | null;
  retry_count: number;
}

export interface SandboxProcess {
  url: string;
  smtpPort: number;
  /** Returns received mails to an address, oldest first. */
  emails(to: string): Promise<{ subject: string; text: string }[]>;
  texts(to?: string): Promise<LoggedText[]>;
  /** Changes the given dials; others stay. */
  faults(dials: Record<string, unknown>): Promise<void>;
  reply(from: string, text: string): Promise<void>;
  /** Advances the product's clock and returns its new offset. */
  advanceTo(instant: Date): Promise<number>;
  stop(): Promise<void>;
}

/** The sandbox as a process. `publicUrl` is the product's public URL. */
export async function startSandbox(options: {
  publicUrl: string;
  clockStart: string;
}): Promise<SandboxProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sms-sandbox-'));
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../sandbox/src/main.ts')], {
    env: {
      PORT: '0',
      SMTP_PORT: '0',
      LOG_LEVEL: 'info',
      DATA_DIR: dataDir,
      CLOCK_START: options.clockStart,
      PUBLIC_URL: options.publicUrl,
      STRIPE_API_KEY: 'sk_test_sms',
      STRIPE_WEBHOOK_SECRET: 'whsec_sms',
      STRIPE_WEBHOOK_URL: `${options.publicUrl}/api/webhooks/stripe`,
      TELNYX_API_KEY: telnyxKey,
      TELNYX_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim(),
      TELNYX_WEBHOOK_URL: `${options.publicUrl}/api/webhooks/telnyx/inbound`,
      SMS_FROM: smsFrom,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { address: url, smtp_port: smtpPort } = await readyOf(child);
  return {
    url,
    smtpPort,
    emails: (to) => ask(`${url}/sandbox/emails?to=${encodeURIComponent(to)}`),
    texts: (to) =>
      ask(`${url}/sandbox/messages${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`),
    faults: (dials) => ask(`${url}/sandbox/faults`, dials),
    reply: (from, text) => ask(`${url}/sandbox/inbound`, { from, text }),
    async advanceTo(instant) {
      await ask(`${url}/sandbox/clock`, { advance_to: instant.toISOString() });
      return (await ask<{ offset_ms: number }>(`${url}/sandbox/clock`)).offset_ms;
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns the URL that a process logs once it listens. */
export const addressOf = async (child: ChildProcess): Promise<string> =>
  (await readyOf(child)).address;

async function readyOf(child: ChildProcess): Promise<{ address: string; smtp_port: number }> {
  if (child.stdout === null) throw new Error('the process has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = JSON.parse(line) as { msg: string; address: string; smtp_port: number };
    if (entry.msg === 'ready') {
      child.stdout.resume();
      return entry;
    }
  }
  throw new Error('the process did not start');
}

async function ask<T>(url: string, body?: unknown): Promise<T> {
  const answer = await fetch(
    url,
    body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
  );
  const json = (await answer.json()) as T;
  if (!answer.ok)
    throw new Error(`the sandbox responded with ${answer.status}: ${JSON.stringify(json)}`);
  return json;
}
