import type { Server } from '@daylift/server/create-server';
import { Type } from 'typebox';

/** Body of commands without parameters. */
export const NoFields = Type.Object({}, { additionalProperties: false });

/** Treats a missing body, or declared JSON without content, as `{}`. */
export function takeEmptyBody(app: Server): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      if (body === '') done(null, undefined);
      else parseJson(request, body, done);
    },
  );
  app.addHook('preValidation', async (request) => {
    request.body ??= {};
  });
}
