import { join } from 'node:path';
import { migrate } from '@daylift/database/migrate';
import { databaseConfig, loadConfig } from '@daylift/server/load-config';
import { createLogger } from '@daylift/server/logger';

const { DATABASE_URL } = loadConfig(databaseConfig);
await migrate({
  databaseUrl: DATABASE_URL,
  folder: join(import.meta.dirname, '..', 'migrations'),
  log: createLogger('content-migrate', 'info'),
});
