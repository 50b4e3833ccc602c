import { LauncherError } from './failure.ts';
import { portAnswers, waitUntil } from './ports.ts';

/** Servers of one's own, each in place of one that the launcher would start. */
export interface ExternalServers {
  databaseAdminUrl?: string;
  redisUrl?: string;
  natsUrl?: string;
}

const patienceMs = 5000;

async function checkAnswers(variable: string, address: string, usualPort: number): Promise<void> {
  if (!URL.canParse(address)) throw new LauncherError(`${variable} is not an address.`);
  const { hostname, port } = new URL(address);
  // A socket in a folder has no host, and is tried by whoever uses it.
  if (!hostname) return;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (await waitUntil(() => portAnswers(Number(port) || usualPort, host), patienceMs)) return;
  throw new LauncherError(
    `Nothing answers at ${variable} (${hostname}:${port || usualPort}). Start that server, correct the address, or leave ${variable} out.`,
  );
}

/** Says at once, and without the password in its address, which server of one's own is not there. */
export async function checkExternalServers(external: ExternalServers): Promise<void> {
  const { databaseAdminUrl, redisUrl, natsUrl } = external;
  if (databaseAdminUrl) await checkAnswers('DATABASE_ADMIN_URL', databaseAdminUrl, 5432);
  if (redisUrl) await checkAnswers('REDIS_URL', redisUrl, 6379);
  // NATS takes several, of which one is enough.
  if (natsUrl && !natsUrl.includes(',')) await checkAnswers('NATS_URL', natsUrl, 4222);
}
