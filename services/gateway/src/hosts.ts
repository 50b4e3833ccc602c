import type { Server } from '@daylift/server/create-server';
import { NothingHere } from './errors.ts';

const ofOperators = (route: string): boolean => /^\/(api\/)?admin(\/|$)/.test(route);
const ofTheInside = new Set(['/metrics', '/healthz', '/readyz', '/internal/settle']);

/**
 * Where operators have a host of their own, the product's shows nothing of theirs, and theirs no page of the product: what
 * a page of one has in its storage, a script in a page of the other never reaches. Neither shows what only the inside asks,
 * at addresses that the world does not route: probes, metrics. Looks at the route, as an address has many spellings.
 */
export function separateHosts(app: Server, urls: { publicUrl: string; adminUrl: string }): void {
  const product = new URL(urls.publicUrl).host;
  const operators = new URL(urls.adminUrl).host;
  if (product === operators) return;
  app.addHook('onRequest', async (request, reply) => {
    const route = request.routeOptions.url ?? '';
    const host = request.host.toLowerCase();
    if (host !== product && host !== operators) return;
    if (ofTheInside.has(route)) throw new NothingHere();
    if (host === product && ofOperators(route)) throw new NothingHere();
    if (host === operators && route === '/*') {
      if (request.url === '/') return reply.redirect('/admin');
      throw new NothingHere();
    }
  });
}
