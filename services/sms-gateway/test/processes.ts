import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createDatabase } from '@daylift/database/create-database';
import { testPublicKeys } from '@daylift/testing/identity';
import { startSandboxProcess } from '@daylift/testing/sandbox';
import { requiredSetting, testFolder } from '@daylift/testing/servers';
import { type RunningProcess, startProcess } from '@daylift/testing/service-process';
import { createTestDatabase } from '@daylift/testing/test-database';
import type { Kysely } from 'kysely';
import { onTestFinished } from 'vitest';
import { chooseFreePorts } from '../../../deploy/local/ports.ts';
import type { SmsDatabase } from '../src/database.ts';
import { oneTimeCodeKey } from './harness.ts';
import { smsFrom, startSandbox, type TestSandbox, telnyxKey, telnyxPublicKey } from './sandbox.ts';

/** The service's API and workers as processes, with a Redis and a NATS that can be killed. */
export interface Processes {
  db: Kysely<SmsDatabase>;
  sandbox: TestSandbox;
  redisUrl: string;
  natsUrl: string;
  apiUrl: string;
  /** Killed at the end of the test, so it sends nothing of the next one. */
  startWorker(): Promise<RunningProcess>;
  /** kill -9, without keeping any data. */
  killRedis(): Promise<void>;
  startRedis(): void;
  close(): Promise<void>;
}

export async function startProcesses(
  clockStart: string,
  settings: Record<string, string>,
): Promise<Processes> {
  const folder = await mkdtemp(join(testFolder(), 'sms-processes-'));
  const children: ChildProcess[] = [];
  const services: RunningProcess[] = [];
  const [redisPort, natsPort] = await chooseFreePorts(2);
  const redisPassword = randomUUID();
  const startRedis = () => {
    const child = spawn('redis-server', ['-'], { stdio: ['pipe', 'ignore', 'inherit'] });
    children.push(child);
    const config = [`port ${redisPort}`, `requirepass ${redisPassword}`, `dir "${folder}"`];
    child.stdin.end(['bind 127.0.0.1', ...config, 'save ""', ''].join('\n'));
    return child;
  };
  let redis = startRedis();
  const natsLog = join(folder, 'nats.log');
  const natsArguments = ['-js', '-a', '127.0.0.1', '-p', String(natsPort), '-sd', folder];
  children.push(spawn('nats-server', [...natsArguments, '-l', natsLog]));
  const database = await createTestDatabase({
    schema: 'sms_gateway',
    folder: join(import.meta.dirname, '../migrations'),
  });
  const db = createDatabase<SmsDatabase>({
    url: database.url,
    name: 'sms-processes',
    onError: () => undefined,
  });
  let apiUrl = '';
  const door = createServer(async (request, response) => {
    const url = `${apiUrl}${(request.url ?? '').replace(/^\/api/, '')}`;
    const headers = request.headers as Record<string, string>;
    const { host: _, connection: __, 'transfer-encoding': ___, ...passed } = headers;
    const body = new Uint8Array(await buffer(request));
    const passedOn = await fetch(url, { method: 'POST', headers: passed, body }).catch(() => null);
    response.writeHead(passedOn?.status ?? 502).end();
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const publicUrl = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  // As a process, because a busy test would make texts arrive late.
  const sandbox = await startSandbox({ publicUrl, clockStart }, (env) =>
    startSandboxProcess(env, requiredSetting('TEST_SERVICES')),
  );
  const [redisUrl, natsUrl] = [
    `redis://:${redisPassword}@127.0.0.1:${redisPort}`,
    `nats://127.0.0.1:${natsPort}`,
  ];
  const environment = {
    LOG_LEVEL: 'info',
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl,
    NATS_URL: natsUrl,
    SANDBOX_URL: sandbox.url,
    PUBLIC_URL: publicUrl,
    IDENTITY_PUBLIC_KEYS: testPublicKeys,
    NUMBER_HASH_KEY: 'a-key-for-tests-that-is-long-enough!',
    ONE_TIME_CODE_KEY: oneTimeCodeKey,
    PRODUCT_NAME: 'Daylift',
    SUPPORT_EMAIL: 'support@daylift.example',
    SMTP_URL: `smtp://127.0.0.1:${sandbox.smtpPort}`,
    MAIL_FROM: 'hello@daylift.example',
    TELNYX_API_KEY: telnyxKey,
    TELNYX_PUBLIC_KEY: telnyxPublicKey,
    SMS_FROM: smsFrom,
    SMS_RATE_PER_SECOND: '100',
    ...settings,
  };
  const start = async (name: 'sms-gateway' | 'sms-worker') => {
    const service = await startProcess(name, environment);
    services.push(service);
    return service;
  };
  apiUrl = (await start('sms-gateway')).url;
  return {
    db,
    sandbox,
    redisUrl,
    natsUrl,
    apiUrl,
    killRedis: () => end(redis),
    startRedis: () => {
      redis = startRedis();
    },
    async startWorker() {
      const worker = await start('sms-worker');
      onTestFinished(() => worker.stop('SIGKILL'));
      return worker;
    },
    async close() {
      await Promise.all([...services.map((one) => one.stop('SIGKILL')), ...children.map(end)]);
      await sandbox.stop();
      door.closeAllConnections();
      door.close();
      await db.destroy();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
