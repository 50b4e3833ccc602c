import { createLogger } from '@daylift/server/logger';
import { readConfig } from './config.ts';
import { openSandbox } from './open-sandbox.ts';

const config = readConfig();
const log = createLogger('sandbox', config.LOG_LEVEL);
const sandbox = await openSandbox(config);
log.info({ address: sandbox.address, smtp_port: sandbox.smtpPort }, 'ready');

async function stop(): Promise<void> {
  // Everything is in the journal, so an open connection does not hold up the exit.
  setTimeout(() => process.exit(1), 5_000).unref();
  await sandbox.close();
  process.exit(0);
}
process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());
