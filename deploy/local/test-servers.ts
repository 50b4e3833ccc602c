import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Print } from './console.ts';
import { acquireLock } from './launcher-lock.ts';
import { createDataDirectories, dataLayout } from './layout.ts';
import { socketUrl } from './postgres.ts';
import { deletePointedData } from './postgres-account.ts';
import { isAlive, type ProcessIdentity } from './process-identity.ts';
import { endStaleProcesses } from './process-list.ts';
import { loadSecrets } from './secrets.ts';
import { startServers } from './servers.ts';
import { createSupervisor } from './supervisor.ts';
import { chooseTestFolder, testFolders } from './test-folder.ts';

/** Postgres, Redis and NATS for a test run, with their own ports and folder. */
export interface TestServers {
  env: Record<string, string>;
  stop: () => Promise<void>;
}

const prefix = 'daylift-test-';

function ownerOf(folder: string): ProcessIdentity | null {
  try {
    const lock = readFileSync(join(folder, 'run/launcher.lock'), 'utf8');
    return JSON.parse(lock) as ProcessIdentity;
  } catch {
    return null;
  }
}

/** Removes leftovers of killed test runs. */
async function removeAbandoned(): Promise<void> {
  const parents = new Set(testFolders());
  const folders = [...parents].flatMap((parent) =>
    readdirSync(parent)
      .filter((name) => name.startsWith(prefix))
      .map((name) => join(parent, name)),
  );
  for (const folder of folders) {
    const owner = ownerOf(folder);
    if (!owner || isAlive(owner)) continue;
    const layout = dataLayout(folder);
    await endStaleProcesses(layout.run);
    deletePointedData(layout);
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function startTestServers(print: Print): Promise<TestServers> {
  await removeAbandoned();
  const layout = dataLayout(mkdtempSync(join(chooseTestFolder(), prefix)));
  // As root, Postgres runs as another user and needs access.
  chmodSync(layout.root, 0o755);
  createDataDirectories(layout);
  const lock = acquireLock(layout.run, 'npm test');
  const supervisor = createSupervisor({ logsDir: layout.logs, runDir: layout.run, print });
  const stop = async (): Promise<void> => {
    await supervisor.stop(['nats', 'redis', 'postgres']);
    supervisor.close();
    if (lock.held) lock.release();
    deletePointedData(layout);
    rmSync(layout.root, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const secrets = loadSecrets(layout.secrets, {});
    const { databaseAdminUrl, databaseLocation, redisUrl, natsUrl } = await startServers({
      layout,
      supervisor,
      external: {},
      postgresPassword: secrets.postgres_password,
      redisPassword: secrets.redis_password,
      fast: true,
      print,
    });
    const env = {
      TEST_FOLDER: layout.root,
      TEST_DATABASE_ADMIN_URL: socketUrl(databaseAdminUrl, databaseLocation),
      TEST_REDIS_URL: redisUrl,
      TEST_NATS_URL: natsUrl,
    };
    return { env, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
