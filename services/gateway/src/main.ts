import { runProcess } from '@daylift/server/run-process';
import { Redis } from 'ioredis';
import { buildApp } from './app.ts';
import { loadGatewayConfig } from './config.ts';
import { upstreamUrls } from './upstreams.ts';

const config = loadGatewayConfig();
await runProcess('gateway', config, async ({ clock, log, onStop }) => {
  let redis: Redis | null = null;
  if (config.RATE_LIMITS === 'on') {
    // Rate limiting must not delay requests: without a connection, calls fail immediately and are skipped.
    redis = new Redis(config.REDIS_URL, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 1_000,
      commandTimeout: 300,
      // A former primary keeps its connections but rejects all writes.
      reconnectOnError: (error) => error.message.includes('READONLY'),
    });
    const counting = redis;
    counting.on('error', (error) => log.debug({ err: error }, 'redis connection'));
    counting.on('close', () => log.warn('redis unavailable; rate limits disabled'));
    onStop(() => counting.disconnect());
  }
  const app = await buildApp({
    urls: upstreamUrls(config),
    workerUrl: config.SMS_WORKER_URL,
    identityKey: { issuer: 'gateway', privateKey: config.IDENTITY_PRIVATE_KEY },
    jwtPublicKey: config.JWT_PUBLIC_KEY,
    redis,
    dists: { web: config.WEB_DIST, adminWeb: config.ADMIN_WEB_DIST },
    productName: config.PRODUCT_NAME,
    publicUrl: config.PUBLIC_URL.replace(/\/+$/, ''),
    adminUrl: config.ADMIN_URL,
    allowedHosts: config.ALLOWED_HOSTS?.split(/, */) ?? [],
    allowsLoopback: config.SANDBOX_URL !== undefined,
    trustedProxies: config.TRUSTED_PROXIES,
    logLevel: config.LOG_LEVEL,
    now: () => clock.now(),
  });
  return { app, loops: [] };
});
