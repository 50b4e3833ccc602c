import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from './servers.ts';
import { servicesFolder, startProcess } from './service-process.ts';

/** A sandbox with its own data. */
export interface TestSandbox {
  url: string;
  smtpPort: number;
  /** Sends GET, or POST with a body, and returns the response's JSON. */
  call<T>(path: string, body?: unknown): Promise<T>;
  stop(): Promise<void>;
}

interface Running {
  url: string;
  smtpPort: number;
  stop(): Promise<void>;
}
type Settings = Record<string, string>;

/** Starts the sandbox as a process. */
export const startSandboxProcess = (env: Settings, bundles: string): Promise<TestSandbox> =>
  start(env, async (settings) => {
    const { url, log, stop } = await startProcess('sandbox', settings, bundles);
    const ready = log().find((line) => line.includes('"msg":"ready"')) ?? '{}';
    return { url, smtpPort: (JSON.parse(ready) as { smtp_port: number }).smtp_port, stop };
  });

/** Starts the sandbox in this process, which saves the start of another one. */
export const startTestSandbox = (env: Settings): Promise<TestSandbox> =>
  start(env, async (settings) => {
    const source = (name: string) => import(join(servicesFolder, 'sandbox/src', name));
    const { readConfig } = await source('config.ts');
    const { openSandbox } = await source('open-sandbox.ts');
    const { address, smtpPort, close } = await openSandbox(
      readConfig({ PORT: '0', ...settings, LOG_LEVEL: 'silent' }),
    );
    return { url: address, smtpPort, stop: close };
  });

/** `env` has at least the clock's start and the URLs of the webhooks. */
async function start(
  env: Settings,
  run: (settings: Settings) => Promise<Running>,
): Promise<TestSandbox> {
  const dataDir = await mkdtemp(join(testFolder(), 'test-sandbox-'));
  const { privateKey } = generateKeyPairSync('ed25519');
  const { url, smtpPort, stop } = await run({
    SMTP_PORT: '0',
    LOG_LEVEL: 'info',
    DATA_DIR: dataDir,
    STRIPE_API_KEY: 'sk_test_sandbox',
    STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
    TELNYX_API_KEY: 'KEYSANDBOX0123456789',
    TELNYX_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim(),
    ...env,
  });
  return {
    url,
    smtpPort,
    async call<T>(path: string, body?: unknown) {
      const response = await fetch(`${url}${path}`, body === undefined ? {} : post(body));
      const json = (await response.json()) as T;
      if (!response.ok)
        throw new Error(`the sandbox responded with ${response.status}: ${JSON.stringify(json)}`);
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
