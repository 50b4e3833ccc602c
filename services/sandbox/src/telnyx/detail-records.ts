import { parse } from 'qs';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { refusal } from './telnyx-errors.ts';
import { costOf, PROFILE_ID, type Text } from './texts.ts';

const strict = { additionalProperties: false } as const;
const Instant = Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }));
const Query = Type.Object(
  {
    filter: Type.Object(
      {
        record_type: Type.Literal('messaging'),
        cld: Type.String(),
        created_at: Type.Optional(Type.Object({ gte: Instant, lte: Instant }, strict)),
      },
      strict,
    ),
  },
  strict,
);

const PAGE_SIZE = 20;

/** Returns the records of texts to a number that have left, newest first. */
export function findRecords(query: string, textsTo: (to: string) => readonly Text[]): object {
  const wanted = parse(query);
  if (!Value.Check(Query, wanted)) {
    const [error] = Value.Errors(Query, wanted);
    const detail = `The filter '${error?.instancePath}' is missing, unknown or invalid.`;
    throw refusal('10015', detail, { status: 400 });
  }
  const { cld, created_at: { gte = '', lte = '9' } = {} } = wanted.filter;
  const found = textsTo(cld).filter(
    ({ sent_at, accepted_at: at }) => sent_at !== null && at >= gte && at <= lte,
  );
  return {
    data: found.slice(-PAGE_SIZE).reverse().map(detailRecordOf),
    meta: {
      page_number: 1,
      page_size: PAGE_SIZE,
      total_pages: Math.ceil(found.length / PAGE_SIZE),
      total_results: found.length,
    },
  };
}

function detailRecordOf(text: Text): Record<string, unknown> {
  const cost = costOf(text.parts);
  return {
    record_type: 'message_detail_record',
    uuid: text.id,
    direction: 'outbound',
    message_type: 'SMS',
    cli: text.from,
    cld: text.to,
    status: recordStatus(text),
    delivery_status: text.status,
    delivery_status_webhook_url: text.webhook_url,
    created_at: text.accepted_at,
    sent_at: text.sent_at,
    completed_at: text.completed_at,
    updated_at: text.completed_at ?? text.sent_at,
    parts: text.parts,
    rate: cost.rate,
    carrier_fee: cost.carrier_fee,
    cost: text.cost ?? cost.amount,
    currency: 'USD',
    profile_id: PROFILE_ID,
    errors: text.errors.map((error) => error.code),
  };
}

function recordStatus(text: Text): string {
  if (text.completed_at === null || text.status === 'delivery_unconfirmed')
    return 'dlr_unconfirmed';
  return text.status === 'delivered' ? 'delivered' : 'failed';
}
