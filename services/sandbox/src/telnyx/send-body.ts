import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { isGsm7, MAX_PARTS, type Segments, segmentsOf } from './segments.ts';
import { refusal } from './telnyx-errors.ts';

/** A send with a valid body. */
export interface SendRequest {
  to: string;
  from: string;
  text: string;
  segments: Segments;
  messaging_profile_id: string | null;
  webhook_url: string | null;
  webhook_failover_url: string | null;
  use_profile_webhooks: boolean;
}

const optional = Type.Optional(Type.String());
const Body = Type.Object(
  {
    to: optional,
    from: optional,
    text: optional,
    type: optional,
    encoding: Type.Optional(Type.Enum(['auto', 'gsm7', 'ucs2'])),
    messaging_profile_id: optional,
    webhook_url: optional,
    webhook_failover_url: optional,
    use_profile_webhooks: Type.Optional(Type.Boolean()),
    auto_detect: Type.Optional(Type.Boolean()),
    subject: optional,
    media_urls: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false },
);
type Body = Static<typeof Body>;
const validator = Compile(Body);

/** Reads the body of a send as strictly as Telnyx does, or throws the refusal. */
export function readSendBody(body: unknown, sender: string): SendRequest {
  if (!validator.Check(body)) {
    const [error] = validator.Errors(body);
    const status = error?.instancePath === '' && error.keyword === 'type' ? 400 : undefined;
    const detail = `The parameter '${error?.instancePath}' is unknown or has a wrong type.`;
    throw refusal('10015', detail, { status, pointer: error?.instancePath || '/' });
  }
  const { to } = body;
  if (to === undefined) {
    throw refusal('10004', "The 'to' parameter is required.", { pointer: '/to' });
  }
  if (!to.startsWith('+')) {
    throw refusal('10016', `The 'to' address ${to} is not in +E.164 format.`);
  }
  if (!/^\+[1-9]\d{6,14}$/.test(to)) {
    throw refusal('40310', `The 'to' address ${to} is invalid.`);
  }
  if ((body.type ?? 'SMS') !== 'SMS' || body.media_urls?.length) {
    throw refusal('40301', 'This number can only send SMS.', { pointer: '/type' });
  }
  return {
    to,
    from: readFrom(body, sender),
    ...readText(body),
    messaging_profile_id: body.messaging_profile_id ?? null,
    webhook_url: readUrl(body, 'webhook_url'),
    webhook_failover_url: readUrl(body, 'webhook_failover_url'),
    use_profile_webhooks: body.use_profile_webhooks ?? true,
  };
}

function readFrom({ from, messaging_profile_id }: Body, sender: string): string {
  if (from === sender) return from;
  if (from === undefined) {
    // A send without a number uses one of the profile's pool.
    if (messaging_profile_id !== undefined) return sender;
    throw refusal('40305', "The 'from' address is missing, and no messaging profile is given.");
  }
  if (/[A-Za-z]/.test(from)) {
    throw refusal('40306', 'An alphanumeric sender is not configured on this profile.');
  }
  throw refusal('40305', "The 'from' address should be a number of this account.");
}

function readText(body: Body): Pick<SendRequest, 'text' | 'segments'> {
  const { text = '', encoding = 'auto' } = body;
  if (text === '') throw refusal('40316', "The 'text' is empty.");
  if (encoding === 'gsm7' && !isGsm7(text)) {
    throw refusal('40304', "The 'text' cannot be encoded as GSM-7.", { pointer: '/encoding' });
  }
  const segments = segmentsOf(text, encoding);
  if (segments.parts > MAX_PARTS) {
    throw refusal('40302', `The 'text' needs ${segments.parts} parts; ${MAX_PARTS} is the most.`);
  }
  if (body.auto_detect && segments.encoding === 'UCS-2' && segments.parts > 6) {
    throw refusal('40328', "The 'text' exceeds the recommended size.");
  }
  return { text, segments };
}

function readUrl(body: Body, name: 'webhook_url' | 'webhook_failover_url'): string | null {
  const url = body[name];
  if (!url) return null;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw refusal('10015', `The '${name}' is not a valid http(s) URL.`, { pointer: `/${name}` });
  }
  return url;
}
