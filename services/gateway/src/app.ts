import type { PublicCatalogue } from '@daylift/contracts/billing.http';
import type { Faq } from '@daylift/contracts/content.http';
import { createServer, type Server } from '@daylift/server/create-server';
import type { IdentityKey } from '@daylift/server/identity';
import { createInternalClient } from '@daylift/server/internal-client';
import type { LogLevel } from '@daylift/server/logger';
import replyFrom from '@fastify/reply-from';
import type { Redis } from 'ioredis';
import { createReadAnalytics } from './analytics.ts';
import { registerApi } from './api.ts';
import { registerAuthenticate } from './auth.ts';
import { browserHeaders } from './browser-headers.ts';
import { registerDocs } from './docs/docs.routes.ts';
import { createReadFailed } from './failed.ts';
import { createForward } from './forward.ts';
import { checkHosts, originForm } from './hosts.ts';
import { createLive } from './live/live.routes.ts';
import { createLiveReader } from './live/live-reader.ts';
import { createFailedSource, createLiveSources } from './live/live-sources.ts';
import { type Dists, isBuilt, registerPages } from './pages.ts';
import { createPrerenderer } from './prerendered-pages.ts';
import { registerRateLimits } from './rate-limits.ts';
import { registerRequestLog } from './request-log.ts';
import { createReadSession } from './sessions.ts';
import { registerSiteFiles } from './site-files.ts';
import { type UpstreamUrls, upstreamReadiness } from './upstreams.ts';
import { createForwardInSets } from './webhook-sets.ts';

export interface GatewayOptions {
  urls: UpstreamUrls;
  workerUrl?: string | undefined;
  identityKey: IdentityKey;
  jwtPublicKey: string;
  /** Null disables rate limits. */
  redis: Redis | null;
  dists: Dists;
  productName: string;
  /** Public URL, without a trailing slash. */
  publicUrl: string;
  adminUrl?: string | undefined;
  /** Hosts to serve besides those of both URLs. */
  allowedHosts?: string[];
  /** Also serves localhost and loopback addresses. */
  allowsLoopback?: boolean;
  trustedProxies?: string | undefined;
  logLevel: LogLevel;
  now: () => Date;
  live?: { everyMs?: number; heartbeatMs?: number };
}

/** Builds the public server: pages, API, guards. It has no business rules and no data. */
export async function buildApp(options: GatewayOptions): Promise<Server> {
  const { urls, identityKey, workerUrl, dists, publicUrl, productName } = options;
  const app = createServer({
    name: 'gateway',
    logLevel: options.logLevel,
    readiness: {
      ...upstreamReadiness({ ...urls, ...(workerUrl && { 'sms-worker': workerUrl }) }),
      pages: () => Promise.all([isBuilt(dists.web), isBuilt(dists.adminWeb)]),
    },
    publicServer: {
      trustProxy: options.trustedProxies?.split(',').map((one) => one.trim()) ?? false,
      // Clients must not choose the ids in our logs.
      requestIdHeader: false,
      requestTimeout: 15_000,
      connectionTimeout: 60_000,
      keepAliveTimeout: 72_000,
      rewriteUrl: originForm,
    },
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(browserHeaders);
    done();
  });
  registerRequestLog(app);
  checkHosts(app, options);
  await app.register(replyFrom, {
    undici: { connections: 128, keepAliveTimeout: 10_000, connect: { timeout: 2_000 } },
    destroyAgent: true,
    disableRequestLogging: true,
  });
  const readFailed = createReadFailed({ urls, identityKey });
  const everyMs = options.live?.everyMs ?? 1_000;
  const live = createLive(
    createLiveReader({
      sources: {
        ...createLiveSources({ urls, identityKey }),
        parked: createFailedSource(readFailed, 10 * everyMs),
      },
      everyMs,
      now: options.now,
      onFailure: (service, err) => app.log.warn({ err, service }, 'live figures unavailable'),
    }),
    options.live?.heartbeatMs,
  );
  // Streams never end by themselves, and the server stops only after the last response.
  app.addHook('preClose', async () => live.close());
  const client = (to: 'accounts' | 'billing' | 'content') =>
    createInternalClient({ key: identityKey, to, baseUrl: urls[to] });
  const rateCheck = options.redis === null ? null : registerRateLimits(app, options.redis);
  await registerApi(app, {
    authenticate: await registerAuthenticate(
      app,
      options.jwtPublicKey,
      createReadSession(client('accounts')),
    ),
    rateCheck,
    forwardTo: (route) =>
      route.endpoint.collectedBy === undefined
        ? createForward(options, route)
        : createForwardInSets(options, route, route.endpoint.collectedBy),
    readAnalytics: createReadAnalytics({ urls, identityKey }),
    live,
    readFailed,
  });
  await registerDocs(app, { ...options, checkRate: rateCheck?.('general') ?? null });
  const billing = client('billing');
  const content = client('content');
  const prerendered = createPrerenderer({
    dist: dists.web,
    publicUrl,
    readCatalogue: () => billing.get<PublicCatalogue>('/plans'),
    readFaqs: () => content.get<Faq[]>('/faqs'),
    onFailure: (err) => app.log.warn({ err }, 'page prerender failed'),
  });
  registerSiteFiles(app, { publicUrl, productName, prerendered });
  await registerPages(app, { dists, prerendered });
  return app;
}
