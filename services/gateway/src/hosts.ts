import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Server } from '@daylift/server/create-server';
import { NothingHere, UnknownHost } from './errors.ts';

const absoluteForm = /^https?:\/\/([^/?#]*)/i;
const isAdminRoute = (route: string): boolean => /^\/(api\/)?admin(\/|$)/.test(route);

/** Returns the host name of an authority in lower case, without port and trailing dot, or null if it has none. */
export function hostNameOf(authority: string): string | null {
  const match = /^([a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])\.?(?::\d*)?$/i.exec(authority);
  return match?.[1]?.toLowerCase() ?? null;
}

const isLoopback = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || (isIP(name) === 4 && name.startsWith('127.'));

/** Removes scheme and authority from a request target such as `http://host/path`. */
export function originForm({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const path = url.replace(absoluteForm, '');
  return path.startsWith('/') || path === '*' ? path : `/${path}`;
}

/**
 * Rejects unknown hosts. Also separates the public and admin hosts, so scripts on one can't read the browser storage of
 * the other. Ignores `X-Forwarded-Host`, which clients can set.
 */
export function checkHosts(
  app: Server,
  options: {
    publicUrl: string;
    adminUrl?: string | undefined;
    allowedHosts?: string[];
    allowsLoopback?: boolean;
  },
): void {
  const nameOfUrl = (url: string) => hostNameOf(new URL(url).host);
  const product = nameOfUrl(options.publicUrl);
  const admin = nameOfUrl(options.adminUrl ?? options.publicUrl);
  const known = new Set([product, admin, ...(options.allowedHosts ?? []).map(hostNameOf)]);

  app.addHook('onRequest', async (request, reply) => {
    const name = hostNameOf(request.headers.host ?? '');
    const target = absoluteForm.exec(request.originalUrl)?.[1];
    if (name === null || (target !== undefined && hostNameOf(target) !== name))
      throw new UnknownHost();
    if (!known.has(name) && !(options.allowsLoopback && isLoopback(name))) throw new UnknownHost();
    if (product === admin) return;
    const route = request.routeOptions.url ?? '';
    if (isAdminRoute(route) && name !== admin) throw new NothingHere();
    if (name === admin && route === '/*') {
      if (request.url === '/') return reply.redirect('/admin');
      throw new NothingHere();
    }
  });
}
