import type { FastifyInstance } from 'fastify';
import { parseForm } from '../api/form.ts';

/** Lets the routes of this scope take what a browser's form sends. */
export function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, parseForm(String(body))),
  );
}
