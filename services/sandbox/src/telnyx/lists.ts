import { refusal } from './telnyx-errors.ts';
import { costOf, type Text } from './texts.ts';

/** Query strings of Telnyx nest with brackets: `filter[created_at][gte]=…`. */
export type FlatQuery = Record<string, string | string[] | undefined>;

/** One page, in the envelope of every list. */
export function pageOf<T>(items: T[], query: FlatQuery): { data: T[]; meta: object } {
  const size = wholeNumber(query['page[size]'], 20, 250);
  const number = wholeNumber(query['page[number]'], 1, Number.MAX_SAFE_INTEGER);
  return {
    data: items.slice((number - 1) * size, number * size),
    meta: {
      page_number: number,
      page_size: size,
      total_pages: Math.ceil(items.length / size),
      total_results: items.length,
    },
  };
}

function wholeNumber(
  value: string | string[] | undefined,
  otherwise: number,
  most: number,
): number {
  if (value === undefined) return otherwise;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) {
    throw refusal('10015', 'page[number] and page[size] must be positive whole numbers.', {
      status: 400,
    });
  }
  return Math.min(number, most);
}

/** The message detail record of a text; one that has not left yet has none. */
export function detailRecordOf(text: Text): Record<string, unknown> {
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
    delivery_status_failover_url: text.webhook_failover_url,
    created_at: text.accepted_at,
    sent_at: text.sent_at,
    completed_at: text.completed_at,
    updated_at: text.completed_at ?? text.sent_at,
    parts: text.parts,
    rate: '0.0040',
    carrier_fee: cost.carrier_fee,
    cost: text.cost ?? cost.amount,
    currency: 'USD',
    profile_id: text.messaging_profile_id,
    profile_name: 'sandbox',
    errors: text.errors.map((error) => error.code),
    tags: '',
  };
}

function recordStatus(text: Text): string {
  if (text.completed_at === null || text.status === 'delivery_unconfirmed')
    return 'dlr_unconfirmed';
  return text.status === 'delivered' ? 'delivered' : 'failed';
}

type Test = (record: Record<string, unknown>) => boolean;

const comparisons: Record<string, (one: string, other: string) => boolean> = {
  eq: (one, other) => one === other,
  gte: (one, other) => one >= other,
  gt: (one, other) => one > other,
  lte: (one, other) => one <= other,
  lt: (one, other) => one < other,
};

const instants = new Set(['created_at', 'sent_at', 'completed_at', 'updated_at']);
const filterable = new Set([
  ...instants,
  'uuid',
  'cld',
  'cli',
  'status',
  'direction',
  'message_type',
  'profile_id',
  'delivery_status',
]);

/** Every `filter[…]` of the query as one test; a field that does not exist is refused. */
export function readFilters(query: FlatQuery): Test {
  if (query['filter[record_type]'] !== 'messaging') {
    throw refusal('10015', 'filter[record_type] is required; this sandbox has messaging only.', {
      status: 400,
    });
  }
  const tests = Object.entries(query).flatMap(([name, value]) => {
    const match = /^filter\[(\w+)\](?:\[(\w+)\])?$/.exec(name);
    if (match === null || match[1] === 'record_type') return [];
    return [readFilter(match[1]!, match[2] ?? 'eq', String(value))];
  });
  return (record) => tests.every((test) => test(record));
}

function readFilter(field: string, operator: string, value: string): Test {
  const compare = comparisons[operator];
  if (!filterable.has(field) || compare === undefined) {
    throw refusal('10015', `filter[${field}][${operator}] is not a filter of messaging records.`, {
      status: 400,
    });
  }
  const wanted = instants.has(field) ? isoOf(value) : value;
  return (record) => typeof record[field] === 'string' && compare(record[field], wanted);
}

export function isoOf(value: string): string {
  const instant = new Date(value);
  if (Number.isNaN(instant.getTime())) {
    throw refusal('10015', 'An instant must be ISO 8601, such as 2027-03-01T00:00:00Z.', {
      status: 400,
    });
  }
  return instant.toISOString();
}
