import { describe, expect, test } from 'vitest';
import { describeError, explainError } from './errors.ts';
import { describeError as describeToOperator } from './operators-errors.ts';
import { ApiError, type ClientDeps, createClient } from './request.ts';

/** Creates a client with a scripted network that records its calls. */
const clientWith = (response: () => Promise<Response>, deps: Partial<ClientDeps> = {}) => {
  const requests: { url: string; init: RequestInit }[] = [];
  const client = createClient({
    readToken: () => null,
    fetch: (input, init = {}) => {
      requests.push({ url: String(input), init });
      return response();
    },
    ...deps,
  });
  return { client, requests };
};
const json = (status: number, body: unknown) => async () => Response.json(body, { status });
const failure = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => {
      throw new Error('the call was expected to fail');
    },
    (error: ApiError) => error,
  );

describe('a call', () => {
  test('sends base path, token, parameters, query and JSON body', async () => {
    const body = { question: 'Why?', answer: 'Because.', version: 1 };
    const { client, requests } = clientWith(json(200, { ok: true }), { readToken: () => 'abc' });
    await client.call('GET /admin/templates', { query: { limit: 5, search: undefined } });
    await client.call('PUT /admin/faqs/:id', { params: { id: 'a/b' }, body });
    expect(requests.map(({ url }) => url)).toEqual([
      '/api/admin/templates?limit=5',
      '/api/admin/faqs/a%2Fb',
    ]);
    const headers = new Headers(requests[1]?.init.headers);
    expect(headers.get('authorization')).toBe('Bearer abc');
    expect(headers.get('content-type')).toBe('application/json');
    expect(requests[1]?.init).toMatchObject({ method: 'PUT', body: JSON.stringify(body) });
  });

  test('without a token sends no authorization', async () => {
    const { client, requests } = clientWith(json(200, {}));
    await client.call('GET /faqs');
    expect(new Headers(requests[0]?.init.headers).has('authorization')).toBe(false);
  });

  test('with an empty response returns undefined', async () => {
    const { client } = clientWith(async () => new Response(null, { status: 204 }));
    expect(await client.call('POST /users/logout')).toBeUndefined();
  });

  test('returns the rows of a page and the total of the header', async () => {
    const { client } = clientWith(async () =>
      Response.json([1, 2], { headers: { 'x-total-count': '41' } }),
    );
    expect(await client.call('GET /admin/templates')).toEqual({ rows: [1, 2], total: 41 });
  });
});

describe('a failed call', () => {
  test('has status, code, detail and request id', async () => {
    const { client } = clientWith(json(409, { detail: 'Taken.', code: 'TAKEN', request_id: 'r1' }));
    const error = await failure(client.call('POST /users/me/plan/cancel'));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 409, code: 'TAKEN', detail: 'Taken.', requestId: 'r1' });
  });

  test("never shows a proxy's page", async () => {
    const { client } = clientWith(async () => new Response('<html>Bad Gateway', { status: 502 }));
    const error = await failure(client.call('GET /faqs'));
    expect(error).toMatchObject({ status: 502, code: 'UNREADABLE_ANSWER' });
    expect(error.detail).not.toContain('html');
  });

  test('reports that the browser is offline', async () => {
    const { client } = clientWith(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failure(client.call('GET /faqs'))).toMatchObject({ status: 0, code: 'OFFLINE' });
  });

  test('times out', async () => {
    const client = createClient({
      readToken: () => null,
      timeoutMs: 5,
      fetch: (_input, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        }),
    });
    expect(await failure(client.call('GET /faqs'))).toMatchObject({ status: 0, code: 'TIMEOUT' });
  });

  test('ends the session when its token is rejected', async () => {
    let ended = 0;
    const { client } = clientWith(json(401, { detail: 'No', code: 'NO', request_id: 'r' }), {
      readToken: () => 'old',
      onSessionEnded: () => {
        ended += 1;
      },
    });
    await failure(client.call('GET /users/me'));
    expect(ended).toBe(1);
  });

  test.each([
    [true, 'continues with the new token once the session is renewed'],
    [false, 'is rejected when the session is not renewed'],
  ])('%s: %s', async (renewed) => {
    let token = 'old';
    const { client, requests } = clientWith(
      async () =>
        token === 'old'
          ? Response.json({ detail: 'No', code: 'NO', request_id: 'r' }, { status: 401 })
          : Response.json({ ok: true }),
      {
        readToken: () => token,
        onSessionEnded: async () => {
          if (renewed) token = 'new';
          return renewed;
        },
      },
    );
    const response = client.call('PUT /users/me', { body: { phone: '1' } });
    if (renewed) {
      expect(await response).toEqual({ ok: true });
      expect(requests.map(({ init }) => [init.method, init.body])).toEqual([
        ['PUT', '{"phone":"1"}'],
        ['PUT', '{"phone":"1"}'],
      ]);
      expect(new Headers(requests[1]?.init.headers).get('authorization')).toBe('Bearer new');
    } else {
      expect(await failure(response)).toMatchObject({ status: 401 });
      expect(requests).toHaveLength(1);
    }
  });

  test.each(['before the response', 'while its body arrives'])(
    'keeps a session that was renewed %s, and repeats reads only',
    async (when) => {
      let token = 'old';
      let ended = 0;
      const reject = () => {
        const error = Response.json({ detail: 'No', code: 'NO', request_id: 'r' }, { status: 401 });
        const readBody = error.json.bind(error);
        error.json = () => {
          token = 'new';
          return readBody();
        };
        return error;
      };
      const { client, requests } = clientWith(
        async () => {
          if (token === 'new') return Response.json({ ok: true });
          if (when === 'before the response') token = 'new';
          return reject();
        },
        {
          readToken: () => token,
          onSessionEnded: () => {
            ended += 1;
          },
        },
      );
      expect(await client.call('GET /users/me')).toEqual({ ok: true });
      token = 'old';
      const write = client.call('PUT /users/me', { body: { phone: '1' } });
      expect(await failure(write)).toMatchObject({ status: 401 });
      expect(requests.map(({ init }) => init.method)).toEqual(['GET', 'GET', 'PUT']);
      expect(ended).toBe(0);
    },
  );

  test('with a wrong password and no token ends no session', async () => {
    let ended = 0;
    const { client } = clientWith(json(401, { detail: 'No', code: 'NO', request_id: 'r' }), {
      onSessionEnded: () => {
        ended += 1;
      },
    });
    await failure(client.call('POST /users/login', { body: { login: 'ada', password: 'wrong' } }));
    expect(ended).toBe(0);
  });
});

describe('error messages', () => {
  const error = (status: number) =>
    new ApiError(status, { detail: 'The detail.', code: 'X', request_id: 'r' });

  test("a signup shows the server's detail if the visitor can fix it", () => {
    expect(describeError('sign up', error(409))).toBe('The detail.');
    expect(describeError('sign up', error(500))).toBe('Something went wrong. Please try again.');
    expect(describeError('sign up', new TypeError('boom'))).toBe(
      'Something went wrong. Please try again.',
    );
  });

  test('the reason for a rejected field follows the message', () => {
    expect(describeError('sign up', error(400))).toBe('Something went wrong. Please try again.');
    expect(explainError('sign up', error(400))).toBe('The detail.');
    expect(explainError('sign up', error(409))).toBeNull();
    expect(explainError('sign up', error(500))).toBeNull();
    expect(explainError('update profile', error(400))).toBe('The detail.');
    expect(explainError('log in', error(401))).toBeNull();
    for (const action of ['sign up', 'log in', 'set password'] as const)
      expect(explainError(action, error(0))).toBe('The detail.');
  });

  test("an operator sees the server's reason for every status", () => {
    expect(describeToOperator('run scheduler', error(409))).toBe('The detail.');
    for (const status of [500, 503])
      expect(describeToOperator('run scheduler', error(status))).toBe(
        'Error running scheduler. The detail.',
      );
    expect(describeToOperator('load page', error(503))).toBe(
      "We couldn't load this. Please try again. The detail.",
    );
  });

  test('an operator sees "Invalid credentials" only for a 401', () => {
    expect(describeToOperator('admin log in', error(401))).toBe('Invalid credentials');
    for (const status of [0, 400, 429, 500, 503])
      expect(describeToOperator('admin log in', error(status))).not.toContain('credentials');
  });

  test('a failed login reveals nothing about the account', () => {
    expect(describeError('log in', error(403))).toBe(
      'Login failed. Please check your credentials.',
    );
  });
});
