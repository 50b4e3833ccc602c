import type { Page, Route } from 'playwright-core';

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

/** Lets a call fail as a broken service would, until the answered function is called. */
export const failCalls = (page: Page, method: Method, path: string) =>
  answerCalls(page, method, path, { status: 500, detail: 'internal words' });

/** Lets a call be refused for this reason, until the answered function is called. */
export const refuseCalls = (page: Page, method: Method, path: string, detail: string) =>
  answerCalls(page, method, path, { status: 409, detail });

/** Lets a call wait, as long as a slow service would, until the answered function is called. Counts who waits. */
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

/** What the browser says of a call that was made to fail. */
export const failedCall = /Failed to load resource/;
