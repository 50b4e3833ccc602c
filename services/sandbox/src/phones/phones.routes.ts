import type { Server } from '@daylift/server/create-server';
import { Type } from 'typebox';
import type { SandboxDeps } from '../deps.ts';
import { NotAPhoneNumber } from '../errors.ts';
import type { Telnyx } from '../telnyx/telnyx.ts';
import type { Text } from '../telnyx/texts.ts';
import type { Phones } from './phones.ts';

const Inbound = Type.Object(
  {
    from: Type.String(),
    text: Type.String({ minLength: 1, maxLength: 1_600 }),
    /** Default: the product's sending number. */
    to: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

const MessagesQuery = Type.Object({
  to: Type.Optional(Type.String()),
  dispatch: Type.Optional(Type.String()),
  /** Accepted at this instant (product time) or later. */
  since: Type.Optional(Type.String()),
  /** Returns only the newest, still oldest first. */
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
});

export function registerPhones(
  app: Server,
  { config }: SandboxDeps,
  telnyx: Telnyx,
  phones: Phones,
): void {
  app.get('/sandbox/messages', { schema: { querystring: MessagesQuery } }, async (request) => {
    const { to, dispatch, since, limit } = request.query;
    const all =
      to === undefined ? [...telnyx.texts.all()] : telnyx.texts.byRecipient(phone(to, 'to'));
    const found = all.filter(
      (text) =>
        (dispatch === undefined || text.dispatch === dispatch) &&
        (since === undefined || text.accepted_at >= since),
    );
    return (limit === undefined ? found : found.slice(-limit)).map(logEntryOf);
  });

  app.post('/sandbox/inbound', { schema: { body: Inbound } }, async (request) => {
    const { from, text, to = config.SMS_FROM } = request.body;
    return phones.receive(phone(from, 'from'), phone(to, 'to'), text);
  });

  app.get('/sandbox/lookups', async () => [...telnyx.lookups.values()]);

  app.get('/sandbox/phones', async () => phones.list());

  const ByNumber = Type.Object({ number: Type.String() });
  app.get('/sandbox/phones/:number', { schema: { params: ByNumber } }, async (request) =>
    phones.conversation(phone(request.params.number, 'number')),
  );
}

/** Reads a phone number. An unencoded + in a query arrives as a space. */
function phone(given: string, field: string): string {
  const number = given.replace(/^ /, '+');
  if (!/^\+[1-9]\d{6,14}$/.test(number)) throw new NotAPhoneNumber(field);
  return number;
}

function logEntryOf(text: Text) {
  const { planned: _, webhook_url: __, ...entry } = text;
  return { kind: 'outbound', ...entry };
}
