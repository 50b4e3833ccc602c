import type { Server } from '@daylift/server/create-server';
import { errorTable, Unavailable } from '@daylift/server/error';
import type { IdentityKey } from '@daylift/server/identity';
import { createInternalClient } from '@daylift/server/internal-client';
import { descriptionPath } from '@daylift/server/openapi';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyRequest } from 'fastify';
import type { CheckRate } from '../rate-limits.ts';
import type { Service, UpstreamUrls } from '../upstreams.ts';
import { type Description, type Descriptions, joinDescriptions } from './join-descriptions.ts';

interface DocsOptions {
  urls: UpstreamUrls;
  identityKey: IdentityKey;
  productName: string;
  checkRate: CheckRate | null;
}

const keptMs = 60_000;

/**
 * The description of the API at /api/docs/json, joined of what the services say of themselves, and a page to read it at
 * /api/docs. The page's scripts are files of this door, so it lives under the same policy as every other page.
 */
export async function registerDocs(app: Server, options: DocsOptions): Promise<void> {
  const read = createReadDocument(app, options);
  const documents = new WeakMap<FastifyRequest, object>();
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    uiConfig: {
      validatorUrl: null,
      docExpansion: 'list',
      deepLinking: true,
      tryItOutEnabled: true,
    },
    theme: {
      title: `${options.productName} API`,
      css: [{ filename: 'docs.css', content: '.swagger-ui .topbar { display: none; }' }],
    },
    uiHooks: {
      onRequest: async (request, reply) => options.checkRate?.(request, reply),
      preHandler: async (request) => {
        const url = request.routeOptions.url ?? '';
        if (/\/(json|yaml)$/.test(url)) documents.set(request, await read());
      },
    },
    transformSpecificationClone: false,
    transformSpecification: (own, request) => documents.get(request) ?? own,
  });
}

/** Asks every service, and keeps what they say for a minute; an answer that could not be had is asked for again. */
function createReadDocument(app: Server, options: DocsOptions): () => Promise<object> {
  const ask = async (service: Service): Promise<Description> => {
    const client = createInternalClient({
      to: service,
      baseUrl: options.urls[service],
      key: options.identityKey,
    });
    const description = await client.get<Description>(descriptionPath);
    if (description === null)
      throw new Unavailable(`The ${service} service says nothing of itself.`);
    return description;
  };
  let kept: { document: Promise<object>; until: number } | null = null;
  return () => {
    const now = performance.now();
    if (kept !== null && now < kept.until) return kept.document;
    const document = readAll(app, ask).then((all) => joinDescriptions(options.productName, all));
    kept = { document, until: now + keptMs };
    document.catch(() => {
      kept = null;
    });
    return document;
  };
}

async function readAll(
  app: Server,
  ask: (service: Service) => Promise<Description>,
): Promise<Descriptions> {
  const [accounts, billing, content, scheduler, sms] = await Promise.all([
    ask('accounts'),
    ask('billing'),
    ask('content'),
    ask('scheduler'),
    ask('sms-gateway'),
  ]);
  const own = { ...(app.swagger() as Description), 'x-errors': errorTable() };
  return { accounts, billing, content, scheduler, 'sms-gateway': sms, gateway: own };
}
