// `npm run seed`: fills the data directory with made-up subscribers and texts, to see the product at scale.
import { resolve } from 'node:path';
import { prepareDatabases } from '../databases.ts';
import { explainFailure, LauncherError } from '../failure.ts';
import { acquireLock } from '../launcher-lock.ts';
import { createDataDirectories, dataLayout, repoRoot } from '../layout.ts';
import { readOptions } from '../read-options.ts';
import { loadSecrets } from '../secrets.ts';
import { startServers } from '../servers.ts';
import { createSupervisor } from '../supervisor.ts';
import { fillDatabase } from './fill-database.ts';
import type { SeedSize } from './people.ts';

const print = (line: string): void => console.log(line);

function readSize(): SeedSize {
  const { values } = readOptions({
    subscribers: { type: 'string', default: '10000' },
    texts: { type: 'string', default: '120000' },
    due: { type: 'string', default: '1000' },
  });
  const numberOf = (name: keyof SeedSize): number => {
    const number = Number(values[name].replaceAll('_', ''));
    if (Number.isInteger(number) && number >= 0 && number <= 100_000_000) return number;
    throw new LauncherError(`--${name} must be a whole number; it is "${values[name]}".`);
  };
  return { subscribers: numberOf('subscribers'), texts: numberOf('texts'), due: numberOf('due') };
}

/** Runs the servers of the data directory; the product itself must be stopped. */
async function seed(): Promise<void> {
  const size = readSize();
  const layout = dataLayout(resolve(repoRoot, process.env.DATA_DIR || '.data'));
  createDataDirectories(layout);
  const lock = acquireLock(layout.run, 'npm run seed');
  if (!lock.held)
    throw new LauncherError(
      'The product is running on this data: stop it, seed, and start it again.',
    );
  const supervisor = createSupervisor({ logsDir: layout.logs, runDir: layout.run, print });
  const secrets = loadSecrets(layout.secrets, {});
  const { DATABASE_ADMIN_URL, REDIS_URL, NATS_URL, CLOCK_START } = process.env;
  try {
    const servers = await startServers({
      layout,
      supervisor,
      external: {
        ...(DATABASE_ADMIN_URL && { databaseAdminUrl: DATABASE_ADMIN_URL }),
        ...(REDIS_URL && { redisUrl: REDIS_URL }),
        ...(NATS_URL && { natsUrl: NATS_URL }),
      },
      postgresPassword: secrets.postgres_password,
      redisPassword: secrets.redis_password,
      fast: false,
      print,
    });
    await prepareDatabases(servers.databaseAdminUrl, secrets);
    const now = CLOCK_START ? new Date(CLOCK_START) : new Date();
    await fillDatabase({ databaseAdminUrl: servers.databaseAdminUrl, secrets, size, now, print });
    print('Seeded. Run npm start to see it.');
  } finally {
    await supervisor.stop(['nats', 'redis', 'postgres']);
    supervisor.close();
    lock.release();
  }
}

try {
  await seed();
} catch (error) {
  console.error(explainFailure(error, repoRoot));
  process.exitCode = 1;
}
