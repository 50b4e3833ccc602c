import { join } from 'node:path';
import { migrate } from '@daylift/database/migrate';
import { databaseConfig, loadConfig } from '@daylift/server/load-config';

const { DATABASE_URL } = loadConfig(databaseConfig);
await migrate({
  databaseUrl: DATABASE_URL,
  folder: join(import.meta.dirname, '..', 'migrations'),
});
