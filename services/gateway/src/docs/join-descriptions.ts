import { ErrorBody } from '@daylift/contracts/error';
import type { ErrorLine } from '@daylift/server/error';
import { type Access, type ApiRoute, apiRoutes, type Upstream } from '../routes-table.ts';
import { summaries } from './summaries.ts';

interface Operation {
  parameters?: unknown[];
  requestBody?: unknown;
  responses: Record<string, { description: string; content?: unknown }>;
}

/** What one service answers, as it says itself. */
export interface Description {
  paths?: Record<string, object | undefined>;
  'x-errors'?: ErrorLine[];
}
export type Descriptions = Record<Upstream, Description>;

const meanings: Record<string, string> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Taken; what follows happens by itself.',
  204: 'Done, without a body.',
  400: 'Something that was sent is not valid; `detail` says what.',
  401: 'Not signed in, or not with what would be needed for it.',
  402: 'The payment did not succeed; `detail` says why.',
  403: 'Not allowed for whoever is signed in.',
  404: 'There is no such thing.',
  409: 'Not possible as things stand; `detail` says why.',
  413: 'The body is larger than 64 KB.',
  415: 'The body is not JSON.',
  429: 'Too many tries; `retry-after` tells the seconds to wait.',
  503: 'A part of the product cannot answer right now. Please try again.',
};

/** One description of the public API: each row of the table as its service describes it, and what this door adds. */
export function joinDescriptions(productName: string, descriptions: Descriptions): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of apiRoutes.filter((one) => one.access !== 'webhook')) {
    const operation = operationOf(route, descriptions[route.upstream]);
    if (operation === undefined) continue;
    const path = `/api${braced(route.path)}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route, operation) };
  }
  return {
    openapi: '3.1.0',
    info: { title: `${productName} API`, version: '1', description: introduction(descriptions) },
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

const braced = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}');
const bearer = (from: string) => ({
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: `The token that ${from} answers.`,
});

function operationOf(route: ApiRoute, description: Description): Operation | undefined {
  const prefix = route.upstream === 'gateway' ? '/api' : '';
  const path = description.paths?.[`${prefix}${braced(route.path)}`] ?? {};
  return (path as Record<string, Operation>)[route.method.toLowerCase()];
}

function describe(route: ApiRoute, { parameters, requestBody, responses }: Operation): object {
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const refusals = new Set([
    ...Object.keys(responses).filter((status) => Number(status) >= 400),
    ...ownRefusals(route),
  ]);
  return {
    operationId: idOf(route),
    tags: [tagOf(route.path)],
    summary: summaries[`${route.method} ${route.path}`] ?? '',
    security: security[route.access],
    ...(parameters && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: Object.fromEntries([
      ...answers.map(([status, answer]) => [
        status,
        { ...answer, description: meanings[status] ?? answer.description },
      ]),
      ...[...refusals].map((status) => [status, refusal(status)]),
    ]),
  };
}

const refusal = (status: string) => ({
  description: meanings[status] ?? 'Refused; `detail` says why.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

/** What this door says before any service hears of a call. */
function ownRefusals({ access, rate }: ApiRoute): string[] {
  const closed = access === 'public' || access === 'visitor' ? [] : ['401', '403'];
  return [...closed, ...(rate === 'none' ? [] : ['429']), '503'];
}

const admin = [{ admin: [] }];
const security: Record<Access, object[]> = {
  public: [],
  // Either, or nobody in particular.
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
  ['Help', /^\/(faqs|support\/|contact)/],
  ['Account', /^\//],
];
const tagOf = (path: string) => tags.find(([, pattern]) => pattern.test(path))?.[0] ?? 'Account';

function introduction(descriptions: Descriptions): string {
  const lines = Object.values(descriptions).flatMap((one) => one['x-errors'] ?? []);
  const byCode = new Map(lines.map((line) => [line.code, line]));
  const rows = [...byCode.values()]
    .toSorted((a, b) => a.status - b.status || a.code.localeCompare(b.code))
    .map(
      ({ status, code, detail }) =>
        `| ${status} | \`${code}\` | ${detail.replaceAll('|', '\\|')} |`,
    );
  return [
    'Bodies are JSON, names are snake_case, instants are ISO 8601, amounts in fields that end in `_cents` are cents, all others dollars. Lists that are paged tell their whole length in `x-total-count`.',
    'Every status of 400 or more has the same body: `detail`, a sentence for people, `code` for programs, and `request_id` to ask us about.',
    '### Errors',
    ['| Status | Code | Detail |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
}
