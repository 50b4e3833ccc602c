import { isGsm7, MAX_PARTS, type Segments, segmentsOf } from './segments.ts';
import { refusal } from './telnyx-errors.ts';

/** A send whose body is in order; whether the recipient may be texted is another question. */
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

type Kind = 'string' | 'boolean' | 'array';

const fields: Record<string, Kind> = {
  to: 'string',
  from: 'string',
  text: 'string',
  type: 'string',
  encoding: 'string',
  messaging_profile_id: 'string',
  webhook_url: 'string',
  webhook_failover_url: 'string',
  use_profile_webhooks: 'boolean',
  auto_detect: 'boolean',
  subject: 'string',
  media_urls: 'array',
};

const e164 = /^\+[1-9]\d{6,14}$/;

/** Reads the body of a send as strictly as Telnyx does; throws the refusal. */
export function readSendBody(body: unknown, sender: string): SendRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refusal('10015', 'The request body must be a JSON object.', { status: 400 });
  }
  const given = body as Record<string, unknown>;
  checkFields(given);
  const to = given.to as string | undefined;
  if (to === undefined) {
    throw refusal('10004', "The 'to' parameter is required.", { pointer: '/to' });
  }
  if (!to.startsWith('+'))
    throw refusal('10016', `The 'to' address ${to} is not in +E.164 format.`);
  if (!e164.test(to)) throw refusal('40310', `The 'to' address ${to} is invalid.`);
  checkKind(given);
  return {
    to,
    from: readFrom(given, sender),
    ...readText(given),
    messaging_profile_id: (given.messaging_profile_id as string | undefined) ?? null,
    webhook_url: readUrl(given, 'webhook_url'),
    webhook_failover_url: readUrl(given, 'webhook_failover_url'),
    use_profile_webhooks: (given.use_profile_webhooks as boolean | undefined) ?? true,
  };
}

function checkFields(given: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(given)) {
    const kind = fields[name];
    if (kind === undefined) {
      const detail = `The parameter '${name}' is not known here. Please remove it.`;
      throw refusal('10015', detail, { pointer: `/${name}` });
    }
    const fits = kind === 'array' ? Array.isArray(value) : typeof value === kind;
    if (!fits) {
      throw refusal('10015', `The parameter '${name}' must be of type ${kind}.`, {
        pointer: `/${name}`,
      });
    }
  }
}

function checkKind(given: Record<string, unknown>): void {
  const { type = 'SMS', media_urls: media } = given;
  if (type !== 'SMS' || (media as unknown[] | undefined)?.length) {
    throw refusal('40301', 'This number can only send SMS.', { pointer: '/type' });
  }
}

function readFrom(given: Record<string, unknown>, sender: string): string {
  const from = given.from as string | undefined;
  if (from === sender) return from;
  if (from === undefined) {
    // A send without a number takes one of the profile's pool.
    if (given.messaging_profile_id !== undefined) return sender;
    throw refusal('40305', "The 'from' address is missing, and no messaging profile is given.");
  }
  if (/[A-Za-z]/.test(from)) {
    throw refusal('40306', 'An alphanumeric sender is not configured on this profile.');
  }
  throw refusal('40305', "The 'from' address should be a number of this account.");
}

function readText(given: Record<string, unknown>): Pick<SendRequest, 'text' | 'segments'> {
  const text = (given.text as string | undefined) ?? '';
  if (text === '') throw refusal('40316', "The 'text' is empty.");
  const encoding = (given.encoding as string | undefined) ?? 'auto';
  if (encoding !== 'auto' && encoding !== 'gsm7' && encoding !== 'ucs2') {
    throw refusal('10015', "The 'encoding' must be auto, gsm7 or ucs2.", { pointer: '/encoding' });
  }
  if (encoding === 'gsm7' && !isGsm7(text)) {
    throw refusal('40304', "The 'text' cannot be encoded as GSM-7.", { pointer: '/encoding' });
  }
  const segments = segmentsOf(text, encoding);
  if (segments.parts > MAX_PARTS) {
    throw refusal('40302', `The 'text' needs ${segments.parts} parts; ${MAX_PARTS} is the most.`);
  }
  if (given.auto_detect === true && segments.encoding === 'UCS-2' && segments.parts > 6) {
    throw refusal('40328', "The 'text' exceeds the recommended size.");
  }
  return { text, segments };
}

function readUrl(given: Record<string, unknown>, name: string): string | null {
  const url = given[name] as string | undefined;
  if (url === undefined || url === '') return null;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw refusal('10015', `The '${name}' is not a valid http(s) URL.`, { pointer: `/${name}` });
  }
  return url;
}
