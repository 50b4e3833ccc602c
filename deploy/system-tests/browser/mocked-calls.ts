import type { CDPSession, Page } from 'playwright-core';
import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface Call {
  method: string;
  url: URL;
  body: () => unknown;
  /** Makes the call, and returns the body of the response. Throws if it failed. */
  real: () => Promise<object>;
}
/** A response, a lost connection, or what the call would get otherwise. */
type Reply =
  | { status?: number; json: unknown; headers?: Record<string, string> }
  | 'lost'
  | undefined;
interface Mock {
  patterns: { urlPattern: string }[];
  path: RegExp;
  reply: (call: Call) => Reply | Promise<Reply>;
}
interface MockedPage {
  session: CDPSession;
  mocks: Mock[];
}
const mockedPages = new WeakMap<Page, MockedPage>();

/**
 * Mocks the calls of a path, in which `*` matches anything. The latest mock wins. `page.route` would intercept every
 * request of the page and turn its cache off, which doubles the CPU time of a page load.
 */
export async function mockCalls(page: Page, path: string, reply: Mock['reply']): Promise<void> {
  const mocked = mockedPages.get(page) ?? (await startMocking(page));
  const urlPattern = `*/api${path}`;
  mocked.mocks.unshift({
    patterns: [{ urlPattern }, { urlPattern: `${urlPattern}\\?*` }],
    path: new RegExp(`^/api${path.replaceAll('*', '.*')}$`),
    reply,
  });
  const patterns = mocked.mocks.flatMap((mock) => mock.patterns);
  await mocked.session.send('Fetch.enable', { patterns });
}

async function startMocking(page: Page): Promise<MockedPage> {
  const session = await page.context().newCDPSession(page);
  const mocked: MockedPage = { session, mocks: [] };
  mockedPages.set(page, mocked);
  session.on('Fetch.requestPaused', async ({ requestId, request }) => {
    const { method, url, headers, postData: body } = request;
    const call: Call = {
      method,
      url: new URL(url),
      body: () => JSON.parse(body ?? 'null'),
      real: async () => {
        const response = await fetch(url, { method, headers, body: body ?? null });
        if (!response.ok) throw new Error(`${method} ${url} failed with ${response.status}.`);
        return response.json();
      },
    };
    const reply = firstReply(mocked.mocks, call);
    const shown = await reply.catch((): Reply => 'lost');
    // The page may have canceled the request.
    await respond(session, requestId, shown).catch(() => undefined);
    // Reports a mock that threw.
    await reply;
  });
  return mocked;
}

async function firstReply(mocks: Mock[], call: Call): Promise<Reply> {
  for (const { path, reply } of [...mocks]) {
    const response = path.test(call.url.pathname) ? await reply(call) : undefined;
    if (response !== undefined) return response;
  }
  return undefined;
}

function respond(session: CDPSession, requestId: string, reply: Reply): Promise<unknown> {
  if (reply === undefined) return session.send('Fetch.continueRequest', { requestId });
  if (reply === 'lost')
    return session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
  const headers = { 'content-type': 'application/json', ...reply.headers };
  return session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: reply.status ?? 200,
    responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body: Buffer.from(JSON.stringify(reply.json)).toString('base64'),
  });
}

/** Ends all mocks of a page. Held calls continue. */
export async function stopMocking(page: Page): Promise<void> {
  const mocked = mockedPages.get(page);
  mockedPages.delete(page);
  await mocked?.session.detach().catch(() => undefined);
}

async function rejectCalls(
  page: Page,
  method: Method,
  path: string,
  { status, detail }: { status: number; detail: string },
) {
  let rejecting = true;
  await mockCalls(page, path, (call) =>
    rejecting && call.method === method
      ? { status, json: { detail, code: 'X', request_id: 'r' } }
      : undefined,
  );
  return () => {
    rejecting = false;
  };
}

/** Makes a call fail with a 500 until the returned function is called. */
export const failCalls = (page: Page, method: Method, path: string) =>
  rejectCalls(page, method, path, { status: 500, detail: 'internal words' });

/** Makes a call fail with this reason until the returned function is called. */
export const refuseCalls = (page: Page, method: Method, path: string, detail: string) =>
  rejectCalls(page, method, path, { status: 409, detail });

/** Delays a call until the returned function is called. Counts delayed calls. */
export async function holdCalls(page: Page, method: Method, path: string) {
  const held = { count: 0, release: () => {} };
  const released = new Promise<void>((resolve) => {
    held.release = resolve;
  });
  await mockCalls(page, path, async (call) => {
    if (call.method !== method) return undefined;
    held.count += 1;
    await released;
    return undefined;
  });
  return held;
}

/** The browser's message about a failed call. */
export const failedCall = /Failed to load resource/;

/** Mocks a GET with bodies that its schema allows. */
export const answer = <T extends TSchema>(
  page: Page,
  path: string,
  schema: T,
  body: (query: URLSearchParams) => Static<T>,
): Promise<void> =>
  mockCalls(page, path, ({ method, url }) => {
    if (method !== 'GET') return undefined;
    const json = body(url.searchParams);
    if (!Check(schema, json)) throw new Error(`The response doesn't match the schema of ${path}.`);
    return { json };
  });
