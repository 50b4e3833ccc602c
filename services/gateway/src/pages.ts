import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Server } from '@daylift/server/create-server';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NothingHere } from './errors.ts';
import type { PrerenderedPage, PrerenderedPages } from './prerendered-pages.ts';

/** Build output of the two apps. */
export interface Dists {
  web: string;
  adminWeb: string;
}

const indexOf = (dist: string) => join(dist, 'index.html');
export const isBuilt = (dist: string): Promise<void> => access(indexOf(dist));

/** Build files have a hash in their name, so they never change. */
const cacheForever = 'public, max-age=31536000, immutable';
const cacheForAnHour = 'public, max-age=3600';

/** Serves the subscribers' app at / and the admin app at /admin. Unknown URLs get the app's page. */
export async function registerPages(
  app: Server,
  { dists, prerendered }: { dists: Dists; prerendered: PrerenderedPages },
): Promise<void> {
  await app.register(fastifyStatic, {
    root: dists.web,
    serve: false,
    cacheControl: false,
    // The build has compressed files beside the originals.
    preCompressed: true,
  });
  const serve =
    (dist: string, pages?: PrerenderedPages) => (request: FastifyRequest, reply: FastifyReply) =>
      sendPage(request, reply, dist, pages);
  app.get('/admin', serve(dists.adminWeb));
  app.get('/admin/*', serve(dists.adminWeb));
  app.get('/*', serve(dists.web, prerendered));
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  dist: string,
  prerendered?: PrerenderedPages,
): Promise<FastifyReply> {
  const { '*': path = '' } = request.params as { '*'?: string };
  if (/\.[A-Za-z0-9]+$/.test(path) && path !== 'index.html') {
    const inBuild = path.startsWith('assets/');
    return reply
      .header('cache-control', inBuild ? cacheForever : cacheForAnHour)
      .sendFile(path, dist, { cacheControl: false, dotfiles: 'ignore' });
  }
  if (!wantsPage(request)) throw new NothingHere();
  if (
    !(await isBuilt(dist).then(
      () => true,
      () => false,
    ))
  )
    return reply
      .code(503)
      .type('text/plain; charset=utf-8')
      .send('The pages have not been built yet. Please run: npm start\n');
  // An old page would request files of an old build.
  reply.header('cache-control', 'no-cache');
  const page = await prerendered?.find(`/${path}`, request.url.split('?')[1] ?? '');
  if (page) return sendPrerendered(request, reply, page);
  return reply.sendFile('index.html', dist, { cacheControl: false });
}

function sendPrerendered(
  request: FastifyRequest,
  reply: FastifyReply,
  page: PrerenderedPage,
): FastifyReply {
  const taken = String(request.headers['accept-encoding'] ?? '');
  const encoding = (['br', 'gzip'] as const).find((one) => taken.includes(one));
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply
    .code(page.status)
    .header('vary', 'accept-encoding')
    .type('text/html; charset=utf-8')
    .send(page.bodies[encoding ?? 'identity']);
}

function wantsPage(request: FastifyRequest): boolean {
  const { accept } = request.headers;
  return accept === undefined || accept.includes('text/html') || accept.includes('*/*');
}
