import { readFileSync } from 'node:fs';
import type { Server } from '@daylift/server/create-server';

const files = {
  '/': ['page.html', 'text/html; charset=utf-8'],
  '/sandbox/page.css': ['../page.css', 'text/css; charset=utf-8'],
  '/sandbox/page.js': ['page.js', 'text/javascript; charset=utf-8'],
} as const;

// Mail in its frame needs inline styles; only our own scripts run.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

export function registerFront(app: Server): void {
  for (const [path, [file, type]] of Object.entries(files)) {
    const content = readFileSync(new URL(file, import.meta.url));
    app.get(path, async (_request, reply) => {
      reply.header('content-security-policy', policy).type(type);
      return content;
    });
  }
}
