import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from './service-process.ts';

/** Path of the bundled sandbox. Starting it takes half the CPU time of its sources. */
const { SANDBOX_BUNDLE } = process.env;

/** The sandbox as a process with its own data. */
export interface SandboxProcess {
  url: string;
  smtpPort: number;
  /** Sends GET, or POST with a body, and returns the response's JSON. */
  call<T>(path: string, body?: unknown): Promise<T>;
  stop(): Promise<void>;
}

/** Starts the sandbox on free ports. `env` has at least the clock's start and the URLs of the webhooks. */
export async function startSandboxProcess(
  env: Record<string, string>,
  entry = SANDBOX_BUNDLE,
): Promise<SandboxProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-process-'));
  const { privateKey } = generateKeyPairSync('ed25519');
  const settings = {
    SMTP_PORT: '0',
    LOG_LEVEL: 'info',
    DATA_DIR: dataDir,
    STRIPE_API_KEY: 'sk_test_sandbox',
    STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
    TELNYX_API_KEY: 'KEYSANDBOX0123456789',
    TELNYX_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim(),
    ...env,
  };
  const { url, log, stop } = await startProcess('sandbox', settings, entry);
  const ready = log().find((line) => line.includes('"msg":"ready"')) ?? '{}';
  return {
    url,
    smtpPort: (JSON.parse(ready) as { smtp_port: number }).smtp_port,
    async call<T>(path: string, body?: unknown) {
      const answer = await fetch(`${url}${path}`, body === undefined ? {} : post(body));
      const json = (await answer.json()) as T;
      if (!answer.ok)
        throw new Error(`the sandbox responded with ${answer.status}: ${JSON.stringify(json)}`);
      return json;
    },
    async stop() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
