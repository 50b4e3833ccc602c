import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installOnDemand } from '../on-demand/install.ts';
import type { TestServers } from './test-servers.ts';
import { unitProjects } from './unit-projects.ts';

/** The images of each run: together, every supported version of each server. */
export const containerRuns = [
  { postgres: 'postgres:15', redis: 'redis:7', nats: 'nats:2.9' },
  { postgres: 'postgres:latest', redis: 'redis:8', nats: 'nats:latest' },
  { postgres: 'postgres:latest', redis: 'valkey/valkey:latest', nats: 'nats:latest' },
];

/** The projects whose tests need the servers. */
export const containerProjects = [...unitProjects.entries()]
  .filter(([, folder]) => folder.startsWith('services/'))
  .map(([name]) => name)
  .filter((name) => name !== 'sandbox')
  .concat('database', 'events', 'jobs');

export const hasDockerEngine = (): boolean =>
  spawnSync('docker', ['version', '--format', '{{.Server.Version}}'], { timeout: 10_000 })
    .status === 0;

/** The part of testcontainers in use. Its own types exist only once it is installed. */
interface Container {
  withExposedPorts(port: number): Container;
  withEnvironment(env: Record<string, string>): Container;
  withCommand(command: string[]): Container;
  start(): Promise<StartedContainer>;
}
interface StartedContainer {
  getHost(): string;
  getMappedPort(port: number): number;
  stop(): Promise<unknown>;
}
interface Testcontainers {
  GenericContainer: new (image: string) => Container;
}

/** Starts the servers in containers, with the same settings as for other tests. */
export async function startContainerServers(
  images: (typeof containerRuns)[number],
): Promise<TestServers> {
  const entry = join(installOnDemand('testcontainers'), 'build/index.js');
  const { GenericContainer } = (await import(pathToFileURL(entry).href)) as Testcontainers;
  const started: StartedContainer[] = [];
  const start = async (container: Container, port: number): Promise<string> => {
    const running = await container.withExposedPorts(port).start();
    started.push(running);
    return `${running.getHost()}:${running.getMappedPort(port)}`;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((container) => container.stop()));
  };
  const postgres = new GenericContainer(images.postgres)
    .withEnvironment({
      POSTGRES_PASSWORD: 'postgres',
      POSTGRES_INITDB_ARGS: '--encoding=UTF8 --locale=C',
    })
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=200', '-c', 'jit=off']);
  const program = images.redis.startsWith('valkey') ? 'valkey-server' : 'redis-server';
  const redis = new GenericContainer(images.redis).withCommand([
    program,
    '--maxmemory-policy',
    'noeviction',
  ]);
  const nats = new GenericContainer(images.nats).withCommand(['-js']);
  const results = await Promise.allSettled([
    start(postgres, 5432),
    start(redis, 6379),
    start(nats, 4222),
  ]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  const [database, queue, events] = results.map((result) =>
    result.status === 'fulfilled' ? result.value : '',
  );
  return {
    env: {
      TEST_FOLDER: tmpdir(),
      TEST_DATABASE_ADMIN_URL: `postgres://postgres:postgres@${database}/postgres`,
      TEST_REDIS_URL: `redis://${queue}`,
      TEST_NATS_URL: `nats://${events}`,
    },
    stop,
  };
}
