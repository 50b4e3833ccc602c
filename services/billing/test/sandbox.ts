import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const stripeKey = 'sk_test_billing';
export const webhookSecret = 'whsec_billing';

/** The sandbox as a process; its payment records are the expected results of every test. */
export interface SandboxProcess {
  url: string;
  smtpUrl: string;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  stop(): Promise<void>;
}

export async function startSandbox(options: {
  webhookUrl: string;
  clockStart: string;
}): Promise<SandboxProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'billing-sandbox-'));
  const { privateKey } = generateKeyPairSync('ed25519');
  const publicUrl = new URL(options.webhookUrl).origin;
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../sandbox/src/main.ts')], {
    env: {
      PORT: '0',
      SMTP_PORT: '0',
      LOG_LEVEL: 'info',
      DATA_DIR: dataDir,
      CLOCK_START: options.clockStart,
      PUBLIC_URL: publicUrl,
      STRIPE_API_KEY: stripeKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_WEBHOOK_URL: options.webhookUrl,
      TELNYX_API_KEY: 'KEYSANDBOX0123456789',
      TELNYX_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim(),
      TELNYX_WEBHOOK_URL: `${publicUrl}/webhooks/telnyx/inbound`,
      SMS_FROM: '+13125550001',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { address, smtp_port } = await readiness(child);
  return {
    url: address,
    smtpUrl: `smtp://127.0.0.1:${smtp_port}`,
    get: async <T>(path: string) => readJson<T>(await fetch(`${address}${path}`)),
    post: async <T>(path: string, body: unknown) =>
      readJson<T>(
        await fetch(`${address}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function readiness(child: ChildProcess): Promise<{ address: string; smtp_port: number }> {
  if (child.stdout === null) throw new Error('the sandbox has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = JSON.parse(line) as { msg: string; address: string; smtp_port: number };
    if (entry.msg === 'ready') {
      child.stdout.resume();
      return entry;
    }
  }
  throw new Error('the sandbox did not start');
}

async function readJson<T>(answer: Response): Promise<T> {
  const body = (await answer.json()) as T;
  if (!answer.ok)
    throw new Error(`the sandbox responded with ${answer.status}: ${JSON.stringify(body)}`);
  return body;
}
