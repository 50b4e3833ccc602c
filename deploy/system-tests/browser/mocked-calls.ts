import type { Page, Route } from 'playwright-core';
import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

const onCall = (page: Page, method: Method, path: string, answer: (route: Route) => unknown) =>
  page.route(
    (url) => url.pathname === `/api${path}`,
    (route) => (route.request().method() === method ? answer(route) : route.fallback()),
  );

async function answerCalls(
  page: Page,
  method: Method,
  path: string,
  answer: { status: number; detail: string },
) {
  let answering = true;
  const { status, detail } = answer;
  await onCall(page, method, path, (route) =>
    answering
      ? route.fulfill({ status, json: { detail, code: 'X', request_id: 'r' } })
      : route.fallback(),
  );
  return () => {
    answering = false;
  };
}

/** Makes a call fail with a 500 until the returned function is called. */
export const failCalls = (page: Page, method: Method, path: string) =>
  answerCalls(page, method, path, { status: 500, detail: 'internal words' });

/** Makes a call fail with this reason until the returned function is called. */
export const refuseCalls = (page: Page, method: Method, path: string, detail: string) =>
  answerCalls(page, method, path, { status: 409, detail });

/** Delays a call until the returned function is called. Counts delayed calls. */
export async function holdCalls(page: Page, method: Method, path: string) {
  const held = { count: 0, release: () => {} };
  const released = new Promise<void>((resolve) => {
    held.release = resolve;
  });
  await onCall(page, method, path, async (route) => {
    held.count += 1;
    await released;
    await route.fallback();
  });
  return held;
}

/** The browser's message about a failed call. */
export const failedCall = /Failed to load resource/;

/** Mocks a GET with bodies that its schema allows. The latest mock wins. */
export async function answer<T extends TSchema>(
  page: Page,
  path: string,
  schema: T,
  body: (query: URLSearchParams) => Static<T>,
): Promise<void> {
  await page.route(
    (url) => url.pathname === `/api${path}`,
    async (route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      const json = body(new URL(route.request().url()).searchParams);
      if (!Check(schema, json))
        throw new Error(`The response doesn't match the schema of ${path}.`);
      return route.fulfill({ json });
    },
  );
}
