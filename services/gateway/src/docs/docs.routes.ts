import type { Server } from '@daylift/server/create-server';
import { type ErrorLine, errorTable, Unavailable } from '@daylift/server/error';
import { errorTablePath } from '@daylift/server/error-table';
import type { IdentityKey } from '@daylift/server/identity';
import { createInternalClient } from '@daylift/server/internal-client';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyRequest } from 'fastify';
import type { CheckRate } from '../rate-limits.ts';
import type { Service, UpstreamUrls } from '../upstreams.ts';
import { describeApi, describeErrors } from './describe-api.ts';

interface DocsOptions {
  urls: UpstreamUrls;
  identityKey: IdentityKey;
  productName: string;
  checkRate: CheckRate | null;
}

const keptMs = 60_000;

/**
 * Serves the OpenAPI document at /api/docs/json and a page for it at /api/docs. The page's scripts are files of the
 * gateway, so it has the same content security policy as every other page.
 */
export async function registerDocs(app: Server, options: DocsOptions): Promise<void> {
  const document = describeApi(options.productName);
  const readErrors = createReadErrors(options);
  const introductions = new WeakMap<FastifyRequest, string>();
  await app.register(swagger, { mode: 'static', specification: { document: document as never } });
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
        if (/\/(json|yaml)$/.test(url))
          introductions.set(request, describeErrors(await readErrors()));
      },
    },
    transformSpecificationClone: false,
    transformSpecification: (_own, request) => ({
      ...document,
      info: { ...document.info, description: introductions.get(request) ?? '' },
    }),
  });
}

/** Returns the error tables of all services, cached for a minute. Failures aren't cached. */
function createReadErrors({ urls, identityKey }: DocsOptions): () => Promise<ErrorLine[]> {
  const readFrom = async (service: Service): Promise<ErrorLine[]> => {
    const client = createInternalClient({
      to: service,
      baseUrl: urls[service],
      key: identityKey,
    });
    const lines = await client.get<ErrorLine[]>(errorTablePath);
    if (lines === null) throw new Unavailable(`The ${service} service has no error table.`);
    return lines;
  };
  let cached: { lines: Promise<ErrorLine[]>; until: number } | null = null;
  return () => {
    const now = performance.now();
    if (cached !== null && now < cached.until) return cached.lines;
    const services = Object.keys(urls) as Service[];
    const lines = Promise.all(services.map(readFrom)).then((all) => [
      ...all.flat(),
      ...errorTable(),
    ]);
    cached = { lines, until: now + keptMs };
    lines.catch(() => {
      cached = null;
    });
    return lines;
  };
}
