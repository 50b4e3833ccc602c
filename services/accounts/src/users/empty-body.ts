import type { Server } from '@daylift/server/create-server';
import { Type } from 'typebox';

/** For commands that take nothing. */
export const NoFields = Type.Object({}, { additionalProperties: false });

/** Commands may come without a body, or announce JSON and send none; both are as good as `{}`. */
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
