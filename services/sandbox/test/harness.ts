import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { eventually } from '@daylift/testing/eventually';
import { testFolder } from '@daylift/testing/servers';
import Telnyx from 'telnyx';
import { readConfig, type SandboxConfig } from '../src/config.ts';
import { openSandbox, type Sandbox } from '../src/open-sandbox.ts';

export const SMS_FROM = '+13125550001';
export const TELNYX_KEY = 'KEYSANDBOX0123456789';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
/** The product's setting: base64 of the raw 32 bytes. */
export const telnyxPublicKey = publicKey
  .export({ type: 'spki', format: 'der' })
  .subarray(12)
  .toString('base64');

export interface Hook {
  path: string;
  headers: IncomingHttpHeaders;
  rawBody: string;
}

/** Receives the product's webhooks. */
export interface Receiver {
  url: string;
  hooks: Hook[];
  /** Its response; 200 by default. */
  answer: (hook: Hook) => number | Promise<number>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    hooks: [],
    answer: () => 200,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer(async (request, response) => {
    const hook = {
      path: request.url ?? '',
      headers: request.headers,
      rawBody: await readText(request),
    };
    receiver.hooks.push(hook);
    response.writeHead(await receiver.answer(hook)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}

/** For browsers; the sandbox doesn't reach it. */
export const PUBLIC_URL = 'https://daylift.example';

/** Returns the environment of a sandbox on free ports with its own keys, for a product at this URL. */
export function sandboxEnvironment(dataDir: string, productUrl: string): Record<string, string> {
  return {
    PORT: '0',
    SMTP_PORT: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR: dataDir,
    PUBLIC_URL,
    STRIPE_API_KEY: 'sk_test_sandbox',
    STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
    STRIPE_WEBHOOK_URL: `${productUrl}/api/webhooks/stripe`,
    TELNYX_API_KEY: TELNYX_KEY,
    TELNYX_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim(),
    TELNYX_WEBHOOK_URL: `${productUrl}/api/webhooks/telnyx/inbound`,
    SMS_FROM,
  };
}

export interface TestSandbox {
  sandbox: Sandbox;
  receiver: Receiver;
  dataDir: string;
  telnyx: Telnyx;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<{ status: number; body: T }>;
  hook(type: string, matches?: (event: TelnyxEvent) => boolean): Promise<Hook>;
  /** Closes and reopens it with the same data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface TelnyxEvent {
  data: {
    event_type: string;
    id: string;
    payload: {
      id: string;
      text: string;
      cost: { amount: string; currency: string } | null;
      to: { phone_number: string; status: string }[];
      errors: { code: string }[];
      autoresponse_type?: string | null;
    };
  };
  meta: { attempt: number; delivered_to: string };
}

export async function startTestSandbox(
  overrides: Record<string, string> = {},
): Promise<TestSandbox> {
  const receiver = await startReceiver();
  const dataDir = await mkdtemp(join(testFolder(), 'sandbox-'));
  const config: SandboxConfig = readConfig({
    ...sandboxEnvironment(dataDir, receiver.url),
    ...overrides,
  });
  const test: TestSandbox = {
    sandbox: await openSandbox(config),
    receiver,
    dataDir,
    telnyx: undefined as unknown as Telnyx,
    get: async <T>(path: string) =>
      (await (await fetch(`${test.sandbox.address}${path}`)).json()) as T,
    post: async <T>(path: string, body: unknown) => {
      const response = await fetch(`${test.sandbox.address}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as T };
    },
    hook: (type, matches = () => true) =>
      eventually(
        () =>
          receiver.hooks.find((hook) => {
            const event = JSON.parse(hook.rawBody) as TelnyxEvent;
            return event.data?.event_type === type && matches(event);
          }),
        { what: `the webhook ${type}` },
      ),
    restart: async () => {
      await test.sandbox.close();
      test.sandbox = await openSandbox(config);
      test.telnyx = telnyxClient(test.sandbox.address);
    },
    close: async () => {
      await test.sandbox.close();
      await receiver.close();
      await rm(dataDir, { recursive: true });
    },
  };
  test.telnyx = telnyxClient(test.sandbox.address);
  return test;
}

export function telnyxClient(address: string, options: { apiKey?: string } = {}): Telnyx {
  return new Telnyx({
    apiKey: options.apiKey ?? TELNYX_KEY,
    publicKey: telnyxPublicKey,
    baseURL: `${address}/v2`,
    maxRetries: 0,
    timeout: 10_000,
  });
}
