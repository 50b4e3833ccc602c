import { Password } from '@daylift/contracts/fields';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServer, type Server } from './create-server.ts';

let app: Server;
beforeAll(async () => {
  app = createServer({ name: 'test', logLevel: 'silent', readiness: {} });
  const body = Type.Object(
    {
      title: Type.String({ minLength: 1, maxLength: 5 }),
      email: Type.Optional(Type.String({ format: 'email' })),
      alert_email: Type.Optional(Type.Union([Type.String({ format: 'email' }), Type.Literal('')])),
      password: Type.Optional(Password),
      delivery_time: Type.Optional(Type.String({ pattern: '^[0-9]{2}:00$' })),
      plan: Type.Optional(Type.Union([Type.Literal('monthly'), Type.Literal('yearly')])),
      age: Type.Optional(Type.Integer({ minimum: 1 })),
      place: Type.Optional(Type.Object({ town: Type.String() })),
    },
    { additionalProperties: false },
  );
  app.post('/things', { schema: { body } }, async () => ({ taken: true }));
  const querystring = Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 500 }) });
  app.get('/things', { schema: { querystring } }, async (request) => request.query);
  app.get<{ Params: { code: string } }>('/broken/:code', async ({ params }) => {
    const { code } = params;
    const Thrown = code === 'SYNTAX' ? SyntaxError : Error;
    throw Object.assign(new Thrown('the password of the database is 1234'), { code });
  });
});
afterAll(() => app.close());

test.each([
  [{}, 'Please fill in "title".'],
  [{ title: '' }, 'Please fill in "title".'],
  [{ title: 'too long' }, '"title" may have at most 5 characters.'],
  [{ title: 7 }, '"title" must be of type string.'],
  [{ title: 'a', is_admin: true }, '"is_admin" is not a field of this body. Please remove it.'],
  [{ title: 'a', email: 'ada@' }, '"email" is not a valid email address.'],
  [{ title: 'a', alert_email: 'foo' }, '"alert_email" is not a valid email address.'],
  [{ title: 'a', password: 'short' }, 'Password must be at least 6 characters long'],
  [
    { title: 'a', delivery_time: '9 AM' },
    '"delivery_time" must be a full hour from 00:00 to 23:00, such as 09:00.',
  ],
  [{ title: 'a', plan: 'weekly' }, '"plan" must be one of: monthly, yearly.'],
  [{ title: 'a', age: 0 }, '"age" must be at least 1.'],
  [{ title: 'a', age: '7' }, '"age" must be of type integer.'],
  [{ title: 'a', place: {} }, 'Please fill in "place.town".'],
  ['text', 'Please send a JSON object.'],
])('%j is rejected with: %s', async (payload, detail) => {
  const response = await app.inject({
    method: 'POST',
    url: '/things',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(payload),
  });
  expect(response.statusCode).toBe(400);
  expect(response.json()).toEqual({
    detail,
    code: 'INVALID_INPUT',
    request_id: response.headers['x-request-id'],
  });
});

test.each([
  ['?limit=501', '"limit" must be at most 500.'],
  ['?limit=ten', '"limit" must be of type integer.'],
  ['', 'Please fill in "limit".'],
])('a query of %j is rejected with: %s', async (query, detail) => {
  const response = await app.inject({ url: `/things${query}` });
  expect([response.statusCode, response.json().detail]).toEqual([400, detail]);
});

test('numbers in a query are parsed', async () => {
  expect((await app.inject({ url: '/things?limit=20' })).json()).toEqual({ limit: 20 });
});

const json = 'application/json';
const tooLarge = `{"title":"${'a'.repeat(70_000)}"}`;

test.each([
  ['{"title": ', json, 400, 'INVALID_JSON', 'The body is not valid JSON.'],
  ['{"__proto__":{}}', json, 400, 'INVALID_JSON', 'The body is not valid JSON.'],
  ['', json, 400, 'INVALID_INPUT', 'Please send a JSON object.'],
  [
    ...['title=a', 'text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    'Please send JSON (Content-Type: application/json).',
  ],
  [tooLarge, json, 413, 'BODY_TOO_LARGE', 'This request is too large.'],
  [
    ...['{"title":"\\u0000"}', json, 400, 'INVALID_TEXT'],
    'The request contains invalid characters. Please remove them.',
  ],
] as const)(
  'an invalid body is rejected with our code (%#)',
  async (...[payload, type, status, code, detail]) => {
    const response = await app.inject({
      method: 'POST',
      url: '/things',
      headers: { 'content-type': type },
      payload,
    });
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ code, detail });
  },
);

test('an invalid URL is rejected with our code', async () => {
  const response = await app.inject({ url: '/broken/%E0%A4%A' });
  expect(response.statusCode).toBe(400);
  expect(response.json()).toMatchObject({ code: 'INVALID_URL', detail: 'This URL is invalid.' });
});

test.each(['42P01', '23505', '57014', 'ENOENT', 'ERR_INVALID_ARG_TYPE', 'SYNTAX'])(
  'internal errors stay hidden: %s',
  async (code) => {
    const response = await app.inject({ url: `/broken/${code}` });
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({
      detail: 'Something went wrong on our side. Please try again.',
      code: 'ERROR',
    });
  },
);

test.each(['57P01', '57P03', '08006', '53300', 'ECONNREFUSED', 'EAI_AGAIN'])(
  'an unreachable server is a 503 with our message: %s',
  async (code) => {
    const response = await app.inject({ url: `/broken/${code}` });
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({
      detail: "We can't reach our database right now. Please try again in a moment.",
      code: 'UNAVAILABLE',
    });
  },
);

test('an unknown URL gets a message', async () => {
  const response = await app.inject({ url: '/nothing' });
  expect([response.statusCode, response.json().code]).toEqual([404, 'NOT_FOUND']);
});
