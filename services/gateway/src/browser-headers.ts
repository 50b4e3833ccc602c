import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** Pages store tokens in browser storage, so only our own scripts may run, and only our own API may be called. */
const setHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      // Mantine sets inline styles.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
    },
  },
});

const headers: [string, string][] = [];
const collector = {
  setHeader: (name: string, value: string) => headers.push([name, value]),
  removeHeader: () => undefined,
} as unknown as ServerResponse;
setHeaders({} as IncomingMessage, collector, () => undefined);

/** Helmet's headers, which are the same for each response. Fastify writes them together with all others. */
export const browserHeaders = Object.fromEntries(headers);
