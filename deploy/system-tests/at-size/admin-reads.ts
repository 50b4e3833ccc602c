import { dayMs } from '@daylift/clock/durations';
import { apiRoutes } from '../../../services/gateway/src/routes-table.ts';
import { type Document, type FieldSchema, parametersOf } from '../bad-input/described-calls.ts';
import type { ProductClient } from '../product-client.ts';

export interface AdminRead {
  /** Stable across setups of the product. */
  name: string;
  path: string;
}

interface EnumSchema extends FieldSchema {
  enum?: string[];
  const?: string;
  anyOf?: EnumSchema[];
  format?: string;
  maximum?: number;
}

/** Values for parameters without an enum in the API docs. */
const samples: Record<string, string[]> = {
  search: ['Ada', 'person.77@example.com', '+15550000077', 'nobody at all'],
  limit: ['100'],
  offset: ['0', '500'],
  days: ['30'],
  hours: ['24', '48'],
  reason: ['skipped:paused'],
};
/** Measured by its memory instead. */
const notMeasured = /\/export$/;

/**
 * Returns every read call of the admin pages from the route table: plain, and with each value of each filter. New calls
 * and filters are included automatically.
 */
export async function prepareAdminReads(
  product: ProductClient,
  admin: string,
): Promise<AdminRead[]> {
  const { body: document } = await product.api<Document>('GET', '/docs/json');
  const ids = await findIds(product, admin);
  const dates = sampleDates(await product.now());
  return apiRoutes
    .filter((route) => route.method === 'GET' && /^\/admin\/(?!me$)/.test(route.path))
    .filter((route) => !notMeasured.test(route.path))
    .flatMap((route) => {
      const path = route.path.replace(
        /:(\w+)/g,
        (_, name: string) => dates[name] ?? idFor(route.path, name, ids),
      );
      const described = document.paths[`/api${route.path.replace(/:(\w+)/g, '{$1}')}`]?.get;
      if (described === undefined) throw new Error(`${route.path} is not described.`);
      const queries = parametersOf(described, 'query');
      const parts = (one: (typeof queries)[number]) =>
        valuesFor(one.name, one.schema, dates).map(
          (value) => `${one.name}=${encodeURIComponent(value)}`,
        );
      const isRequired = (one: (typeof queries)[number]) =>
        one.required || (one.name === 'reason' && route.path.endsWith('/skipped'));
      const required = queries.filter(isRequired).flatMap((one) => parts(one)[0] ?? []);
      const filters = queries.filter((one) => !isRequired(one)).flatMap(parts);
      return [[], ...filters.map((one) => [one])].map((filter): AdminRead => {
        const query = [...required, ...filter].join('&');
        const tail = query === '' ? '' : `?${query}`;
        return { name: `${route.path}${tail}`, path: `${path}${tail}` };
      });
    });
}

function idFor(path: string, name: string, ids: Record<string, string>): string {
  const owner = path.slice(0, path.indexOf(`/:${name}`));
  const id = ids[owner];
  if (id === undefined) throw new Error(`No sample for :${name} of ${path}`);
  return id;
}

/** Returns an id for each list with detail pages, by path. */
async function findIds(product: ProductClient, admin: string): Promise<Record<string, string>> {
  // Today for operators, in their default zone.
  const date = Temporal.Instant.fromEpochMilliseconds((await product.now()).getTime())
    .toZonedDateTimeISO('America/New_York')
    .toPlainDate()
    .toString();
  const message = { title: 'At size', content: 'A text for many.', scheduled_date: date };
  await product.api('POST', '/admin/scheduled-messages', message, admin);
  const someone = await anySubscriber(product, admin);
  const messages = await product.api<{ id: string }[]>(
    'GET',
    '/admin/scheduled-messages?limit=1',
    undefined,
    admin,
  );
  const supportMessage = {
    name: 'Ben',
    email: 'ben@example.com',
    subject: 'Hello',
    message: 'Good day',
  };
  await product.api('POST', '/contact', supportMessage);
  const inbox = await product.api<{ items: { id: string }[] }>(
    'GET',
    '/admin/inbox?limit=1',
    undefined,
    admin,
  );
  return {
    '/admin/users': someone,
    '/admin/subscriptions': someone,
    '/admin/scheduled-messages': messages.body[0]?.id ?? '',
    '/admin/inbox': inbox.body.items[0]?.id ?? '',
  };
}

async function anySubscriber(product: ProductClient, admin: string): Promise<string> {
  const users = await product.api<{ id: string }[]>(
    'GET',
    '/admin/users?limit=1',
    undefined,
    admin,
  );
  const found = users.body[0]?.id;
  if (found !== undefined) return found;
  return product.signUp({
    name: 'Ada Morning',
    email: 'ada@example.com',
    phone: '+14155550143',
    password: 'good morning',
    timezone: 'America/New_York',
    delivery_time: '07:00',
    sms_consent: true,
  });
}

function sampleDates(now: Date): Record<string, string> {
  const daysAgo = (days: number) =>
    new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10);
  return { from: daysAgo(5), to: daysAgo(1), date: daysAgo(2), month: daysAgo(2).slice(0, 7) };
}

const namedValues = (schema: EnumSchema): string[] => [
  ...(schema.enum ?? []),
  ...(schema.const === undefined ? [] : [String(schema.const)]),
  ...(schema.anyOf ?? []).flatMap(namedValues),
  ...(schema.type === 'boolean' ? ['true', 'false'] : []),
];

function valuesFor(name: string, schema: EnumSchema, dates: Record<string, string>): string[] {
  const named = namedValues(schema);
  if (named.length > 0) return named;
  const date = dates[name];
  if (date !== undefined) return [schema.format === 'date-time' ? `${date}T00:00:00Z` : date];
  const { maximum = Number.POSITIVE_INFINITY } = schema;
  return (samples[name] ?? []).filter((value) => !(Number(value) > maximum));
}
