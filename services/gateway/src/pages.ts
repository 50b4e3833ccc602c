import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Server } from '@daylift/server/create-server';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NothingHere } from './errors.ts';

/** The folders that the two apps were built into. */
export interface Dists {
  web: string;
  adminWeb: string;
}

const indexOf = (dist: string) => join(dist, 'index.html');
export const isBuilt = (dist: string): Promise<void> => access(indexOf(dist));

/** Files of the build carry a hash in their name: what one name holds never changes. */
const forEver = 'public, max-age=31536000, immutable';
const forAnHour = 'public, max-age=3600';

/** Both apps: subscribers' at /, operators' at /admin. Addresses that are no file are pages of theirs. */
export async function registerPages(app: Server, dists: Dists): Promise<void> {
  await app.register(fastifyStatic, {
    root: dists.web,
    serve: false,
    cacheControl: false,
    // The build has put compressed copies beside its files; what has none is sent as it is.
    preCompressed: true,
  });
  const serve = (dist: string) => (request: FastifyRequest, reply: FastifyReply) =>
    sendPage(request, reply, dist);
  app.get('/admin', serve(dists.adminWeb));
  app.get('/admin/*', serve(dists.adminWeb));
  app.get('/*', serve(dists.web));
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  dist: string,
): Promise<FastifyReply> {
  const { '*': path = '' } = request.params as { '*'?: string };
  if (/\.[A-Za-z0-9]+$/.test(path) && path !== 'index.html') {
    const inBuild = path.startsWith('assets/');
    return reply
      .header('cache-control', inBuild ? forEver : forAnHour)
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
  // The page names the files of one build: an older copy would ask for files that are gone.
  return reply
    .header('cache-control', 'no-cache')
    .sendFile('index.html', dist, { cacheControl: false });
}

function wantsPage(request: FastifyRequest): boolean {
  const { accept } = request.headers;
  return accept === undefined || accept.includes('text/html') || accept.includes('*/*');
}
