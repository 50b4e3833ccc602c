import { type Endpoint, errorStatuses, successStatuses } from '@daylift/contracts/endpoint';
import { ErrorBody } from '@daylift/contracts/error';
import type { ErrorLine } from '@daylift/server/error';
import type { TSchema } from 'typebox';
import { type Access, type ApiRoute, apiRoutes } from '../routes-table.ts';

const meanings: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; the rest happens in the background.',
  204: 'Done, without a body.',
  400: 'The input is not valid; `detail` says what.',
  401: 'The token is missing, invalid or of the wrong kind.',
  402: 'The payment did not succeed; `detail` says why.',
  403: 'Not allowed for this account.',
  404: 'Not found.',
  409: 'Not possible in the current state; `detail` says why.',
  413: 'The body is larger than 64 KB.',
  415: 'The body is not JSON.',
  429: 'Too many requests; `retry-after` is the number of seconds to wait.',
  503: 'A part of the product is unavailable. Please try again.',
};

export function describeApi(productName: string) {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of apiRoutes.filter(({ access }) => access !== 'webhook')) {
    const path = `/api${route.path.replaceAll(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: `${productName} API`, version: '1', description: '' },
    servers: [{ url: '/' }],
    tags: tags.map(([name]) => ({ name })),
    paths,
    components: {
      schemas: { Error: ErrorBody },
      securitySchemes: {
        user: bearer('POST /api/users/login'),
        admin: bearer('POST /api/admin/login'),
      },
    },
  };
}

const bearer = (from: string) => ({
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: `The token from ${from}.`,
});

function describeRoute(route: ApiRoute): object {
  const { params, query, body, summary } = route.endpoint;
  const parameters = [...parametersIn('query', query), ...parametersIn('path', params)];
  return {
    operationId: idOf(route),
    tags: [tags.find(([, pattern]) => pattern.test(route.path))?.[0]],
    summary,
    security: security[route.access],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: {
      ...Object.fromEntries(
        successStatuses(route.endpoint).map((status) => [
          status,
          { description: meanings[status], ...describeResponse(route.endpoint) },
        ]),
      ),
      ...Object.fromEntries(errorStatuses(route).map((status) => [status, describeError(status)])),
    },
  };
}

const json = (schema: object) => ({ 'application/json': { schema } });

const parametersIn = (place: 'query' | 'path', schema: TSchema | undefined) => {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, field]) => ({
    schema: field,
    in: place,
    name,
    required: required.includes(name),
  }));
};

function describeResponse({ response, type = 'application/json', streams }: Endpoint): object {
  if (response === undefined) return {};
  return {
    content: {
      [type]: { schema: response },
      ...(streams && { 'text/event-stream': { schema: { type: 'string' } } }),
    },
  };
}

const describeError = (status: number) => ({
  description: meanings[status] ?? 'Refused; `detail` says why.',
  content: json({ $ref: '#/components/schemas/Error' }),
});

const admin = [{ admin: [] }];
const security: Record<Access, object[]> = {
  public: [],
  // The token is optional.
  visitor: [{ user: [] }, {}],
  user: [{ user: [] }],
  self: admin,
  viewer: admin,
  operator: admin,
  owner: admin,
  webhook: [],
};

const idOf = ({ method, path }: ApiRoute) =>
  `${method.toLowerCase()}${path.replaceAll(/[/:_-]+(\w)/g, (_all, letter: string) => letter.toUpperCase())}`;

const tags: [string, RegExp][] = [
  ['Operators', /^\/admin\//],
  ['Plan and payment', /^\/(plans|payments\/|users\/me\/(subscription|plan|invoices|referrals))/],
  ['Texts', /^\/users\/me\/(next-text|sms-history|calendar|analytics)/],
  ['Help', /^\/(faqs|support\/|contact|users\/me\/support-messages)/],
  ['Account', /^\//],
];

export function describeErrors(lines: ErrorLine[]): string {
  const byCode = new Map(lines.map((line) => [line.code, line]));
  const rows = [...byCode.values()]
    .toSorted((a, b) => a.status - b.status || a.code.localeCompare(b.code))
    .map(
      ({ status, code, detail }) =>
        `| ${status} | \`${code}\` | ${detail.replaceAll('|', '\\|')} |`,
    );
  return [
    'Bodies are JSON, names are snake_case, instants are ISO 8601, amounts in fields that end in `_cents` are cents, all others dollars. Paged lists send their total length in `x-total-count`.',
    'Every status of 400 or more has the same body: `detail`, a sentence for people, `code` for programs, and `request_id` for support.',
    '### Errors',
    ['| Status | Code | Detail |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
}
