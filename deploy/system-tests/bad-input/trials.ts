import type { ApiRoute } from '../../../services/gateway/src/routes-table.ts';
import { bodySchemaOf, type Operation, parametersOf, wrongTypes } from './described-calls.ts';
import { callRows, type FieldRow, fieldRows, oddTexts } from './field-rows.ts';

export interface Sent {
  query?: string;
  path?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  type?: string;
  token?: string | null;
}

export interface Trial {
  what: string;
  sent: Sent;
  /** Whether any response but a rejection is a failure. */
  refused: boolean;
}

/** Returns a valid body with one changed field and no other optional fields, which could be rejected too. */
function bodyWith(
  route: ApiRoute,
  operation: Operation,
  change: Record<string, unknown> = {},
): string {
  const { properties = {}, required = [] } = bodySchemaOf(operation);
  const names = Object.keys(properties).filter((name) => required.includes(name));
  const good = Object.fromEntries(names.map((name) => [name, rowOf(name, route).good]));
  return JSON.stringify({ ...good, ...change });
}

export function bodyTrials(route: ApiRoute, operation: Operation): Trial[] {
  const { properties = {}, required = [], additionalProperties } = bodySchemaOf(operation);
  const trials = Object.entries(properties).flatMap(([field, schema]) => {
    const change = (value: unknown, refused: boolean): Trial => ({
      what: `${field} = ${JSON.stringify(value)?.slice(0, 60)}`,
      sent: { body: bodyWith(route, operation, { [field]: value }) },
      refused,
    });
    const bad = [...wrongTypes(schema), ...rowOf(field, route).wrong];
    const left = required.includes(field) ? [change(undefined, schema.default === undefined)] : [];
    const halved = { what: `${field} half a pair`, refused: true };
    const halfPair = bodyWith(route, operation, { [field]: 'HALF' }).replace('"HALF"', '"\\ud83c"');
    return [
      ...left,
      ...bad.map((value) => change(value, true)),
      ...oddTexts.map((value) => change(value, false)),
      { ...halved, sent: { body: halfPair } },
    ];
  });
  const extra = {
    what: 'one field more',
    sent: { body: bodyWith(route, operation, { is_admin: true }) },
  };
  return additionalProperties === false ? [...trials, { ...extra, refused: true }] : trials;
}

/** Returns bodies that are invalid for every call. A call without a body may ignore them. */
export function oddBodies(route: ApiRoute, operation: Operation): Trial[] {
  const takesBody = operation.requestBody !== undefined;
  const good = bodyWith(route, operation);
  const proto = good.replace(
    '{',
    '{"__proto__":{"is_admin":true},"constructor":{"prototype":{"a":1}}' +
      (good === '{}' ? '' : ','),
  );
  const bodies: [string, Sent, boolean][] = [
    ['half of JSON', { body: '{"name": ' }, true],
    [
      'bytes that are no text',
      { body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) },
      true,
    ],
    ['a text', { body: '"text"' }, takesBody],
    ['a list', { body: '[]' }, takesBody],
    ['null', { body: 'null' }, false],
    ['a number', { body: '1e999' }, false],
    ['depth', { body: `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}` }, false],
    ['many lists', { body: `${'['.repeat(20_000)}${']'.repeat(20_000)}` }, takesBody],
    ['a prototype', { body: proto }, takesBody],
    ['a megabyte', { body: JSON.stringify({ name: 'x'.repeat(1_000_000) }) }, true],
    ['a form', { body: 'name=Ada', type: 'application/x-www-form-urlencoded' }, true],
    ['plain text', { body: good, type: 'text/plain' }, true],
    ['nearly JSON', { body: good, type: 'application/json\ta' }, true],
    ['another JSON', { body: good, type: 'application/jsonp' }, true],
  ];
  return bodies.map(([what, sent, refused]) => ({ what, sent, refused }));
}

export function parameterTrials(route: ApiRoute, operation: Operation): Trial[] {
  const required = parametersOf(operation, 'query').filter((one) => one.required);
  // If a call accepts the same fields in its body, the query is tested instead of the body.
  const named = parametersOf(operation, 'query').map((one) => one.name);
  const { properties = {} } = bodySchemaOf(operation);
  const needsBody = Object.keys(properties).some((field) => !named.includes(field));
  const body = route.method !== 'GET' && needsBody ? { body: bodyWith(route, operation) } : {};
  const others = (name: string) =>
    (body.body === undefined && Object.keys(properties).length > 0
      ? named
      : required.map((one) => one.name)
    )
      .filter((one) => one !== name)
      .map((one) => `${one}=${encodeURIComponent(goodOf(one, route))}`);
  const queries = parametersOf(operation, 'query').flatMap(({ name }): Trial[] => {
    const query = (part: string, refused: boolean): Trial => ({
      what: `?${part.slice(0, 80)}`,
      sent: { query: `?${[part, ...others(name)].join('&')}`, ...body },
      refused,
    });
    return [
      ...rowOf(name, route).wrong.map((value) =>
        query(`${name}=${encodeURIComponent(String(value))}`, true),
      ),
      ...oddTexts.map((value) => query(`${name}=${encodeURIComponent(value)}`, false)),
      query(`${name}=%ff`, false),
      query(`${name}=%00`, true),
      query(`${name}=%zz`, false),
      query(`${name}=1&${name}=2`, false),
      query(`${name}[$ne]=1`, false),
      query('', false),
    ];
  });
  const isWrong = (name: string, value: string) => rowOf(name, route).wrong.includes(value);
  const paths = parametersOf(operation, 'path').flatMap(({ name }) =>
    [
      ...rowOf(name, route).wrong.map(String),
      ...oddTexts.map(encodeURIComponent),
      '%ff',
      'x'.repeat(5_000),
    ].map(
      (value): Trial => ({
        what: `/${value.slice(0, 60)}`,
        sent: { path: { [name]: value } },
        // Any real date has an answer, even centuries away.
        refused: name !== 'date' || !/^[1-9]\d{3}-\d\d-\d\d$/.test(value) || isWrong(name, value),
      }),
    ),
  );
  const unknownParam = {
    what: '?unasked',
    sent: { query: '?a=1&__proto__=2&b[]=%00', ...body },
    refused: false,
  };
  return [...queries, ...paths, unknownParam];
}

export const goodOf = (field: string, route: ApiRoute): string => String(rowOf(field, route).good);

function rowOf(field: string, { method, path }: ApiRoute): FieldRow {
  const row = callRows[`${method} ${path}`]?.[field] ?? fieldRows[field];
  if (row === undefined) throw new Error(`field-rows.ts has no row for "${field}".`);
  return row;
}
