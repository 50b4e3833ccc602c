import { LauncherError } from './failure.ts';
import { isListening, waitUntil } from './ports.ts';

/** Your own servers, each replacing one that the launcher would start. */
export interface ExternalServers {
  databaseAdminUrl?: string;
  redisUrl?: string;
  natsUrl?: string;
}

const patienceMs = 5000;

async function checkReachable(variable: string, address: string, usualPort: number): Promise<void> {
  if (!URL.canParse(address)) throw new LauncherError(`${variable} is not a URL.`);
  const { hostname, port } = new URL(address);
  // A Unix socket has no host; connecting will tell.
  if (!hostname) return;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (await waitUntil(() => isListening(Number(port) || usualPort, host), patienceMs)) return;
  throw new LauncherError(
    `Nothing responds at ${variable} (${hostname}:${port || usualPort}). Start that server, correct the URL, or unset ${variable}.`,
  );
}

/** Throws an error that names an unreachable server of your own, without the password in its URL. */
export async function checkExternalServers(external: ExternalServers): Promise<void> {
  const { databaseAdminUrl, redisUrl, natsUrl } = external;
  if (databaseAdminUrl) await checkReachable('DATABASE_ADMIN_URL', databaseAdminUrl, 5432);
  if (redisUrl) await checkReachable('REDIS_URL', redisUrl, 6379);
  // NATS accepts several servers, and one of them is enough.
  if (natsUrl && !natsUrl.includes(',')) await checkReachable('NATS_URL', natsUrl, 4222);
}
