import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { MAX_PARTS, type Segments, segmentsOf } from './segments.ts';
import { refusal } from './telnyx-errors.ts';

const optional = Type.Optional(Type.String());
const Body = Type.Object(
  { to: optional, from: optional, text: optional, webhook_url: optional },
  { additionalProperties: false },
);
const validator = Compile(Body);

const tollFree = /^\+18(00|33|44|55|66|77|88)\d{7}$/;

/** A send with a valid body. */
export interface SendRequest {
  to: string;
  from: string;
  text: string;
  segments: Segments;
  webhook_url: string | null;
}

/** Reads the body of a send as strictly as Telnyx does, or throws the refusal. */
export function readSendBody(body: unknown, sender: string): SendRequest {
  if (!validator.Check(body)) {
    const [error] = validator.Errors(body);
    const status = error?.instancePath === '' && error.keyword === 'type' ? 400 : undefined;
    const detail = `The parameter '${error?.instancePath}' is unknown or has a wrong type.`;
    throw refusal('10015', detail, { status, pointer: error?.instancePath || '/' });
  }
  const { to, from, text = '' }: Static<typeof Body> = body;
  if (to === undefined)
    throw refusal('10004', "The 'to' parameter is required.", { pointer: '/to' });
  if (!to.startsWith('+'))
    throw refusal('10016', `The 'to' address ${to} is not in +E.164 format.`);
  if (!/^\+[1-9]\d{6,14}$/.test(to)) throw refusal('40310', `The 'to' address ${to} is invalid.`);
  // Toll-free numbers can be added to the pool at will.
  if (from === undefined || (from !== sender && !tollFree.test(from)))
    throw refusal('40305', "The 'from' address should be a number of this account.");
  if (text === '') throw refusal('40316', "The 'text' is empty.");
  const segments = segmentsOf(text);
  if (segments.parts > MAX_PARTS)
    throw refusal(
      '40302',
      `The 'text' needs ${segments.parts} parts, over the maximum of ${MAX_PARTS}.`,
    );
  return { to, from, text, segments, webhook_url: readUrl(body.webhook_url) };
}

function readUrl(url: string | undefined): string | null {
  if (!url) return null;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw refusal('10015', "The 'webhook_url' is not a valid http(s) URL.", {
      pointer: '/webhook_url',
    });
  }
  return url;
}
