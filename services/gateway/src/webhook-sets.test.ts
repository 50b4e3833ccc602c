import { randomBytes } from 'node:crypto';
import type { CollectedWebhook } from '@daylift/contracts/webhook';
import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createHarness, type Harness } from '../test/harness.ts';

let harness: Harness;
let sets: CollectedWebhook[][];
beforeAll(async () => {
  harness = await createHarness();
});
beforeEach(() => {
  sets = [];
  harness.state.sets = sets;
  harness.state.seen.length = 0;
});
afterAll(() => harness.close());

const post = (payload: Buffer, timestamp = '1', dispatch = '20270307-abc', signature = 'sig') =>
  harness.call({
    method: 'POST',
    url: `/api/webhooks/telnyx/${dispatch}`,
    payload,
    headers: {
      'content-type': 'application/json',
      'telnyx-signature-ed25519': signature,
      'telnyx-timestamp': timestamp,
      authorization: 'Bearer x',
    },
  });
const some = (count: number) => Array.from({ length: count }, () => randomBytes(64));

it('receipts that arrive together are forwarded in one request, byte for byte, and each gets its own response', async () => {
  const bodies = some(5);
  const responses = await Promise.all(
    bodies.map((body, index) => post(body, index === 2 ? '2' : '1', `text-${index}`)),
  );
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 401, 200, 200]);
  expect(responses[0]?.json()).toEqual({ received: true });
  expect(responses[2]?.json()).toEqual({
    detail: 'No.',
    code: 'FORGED_WEBHOOK',
    request_id: responses[2]?.headers['x-request-id'],
  });
  const [set = [], ...more] = sets;
  expect(more).toEqual([]);
  expect(set).toHaveLength(5);
  for (const [index, body] of bodies.entries()) {
    const webhook = set.find(({ params }) => params.dispatch === `text-${index}`);
    expect(Buffer.from(webhook!.base64, 'base64').equals(body)).toBe(true);
    expect(webhook).toMatchObject({ request_id: responses[index]?.headers['x-request-id'] });
    expect(webhook?.headers).toEqual({
      'telnyx-signature-ed25519': 'sig',
      'telnyx-timestamp': index === 2 ? '2' : '1',
    });
  }
});

it('each receipt of a set that fails gets a 5xx, and the next set is forwarded', async () => {
  harness.state.next = { status: 500, headers: {}, body: null };
  const failed = await Promise.all(some(3).map((body) => post(body)));
  for (const response of failed) {
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ code: 'PART_UNAVAILABLE' });
  }
  expect(sets).toHaveLength(1);
  expect((await post(randomBytes(64))).statusCode).toBe(200);
});

it('receipts are forwarded while the last set has no response', async () => {
  harness.state.next = { status: 500, headers: {}, body: null, afterMs: 4_000 };
  const responses: number[] = [];
  const hung = post(randomBytes(64)).then(({ statusCode }) => responses.push(statusCode));
  await eventually(() => sets.length === 1);
  await post(randomBytes(64)).then(({ statusCode }) => responses.push(statusCode));
  await hung;
  expect(responses).toEqual([200, 503]);
});

it('texts from people and large receipts are forwarded alone', async () => {
  const responses = [
    await post(randomBytes(64), '1', 'inbound'),
    await post(randomBytes(9 * 1024)),
    await post(randomBytes(64), '1', '20270307-abc', 's'.repeat(300)),
    await harness.call({ method: 'POST', url: '/api/webhooks/telnyx/20270307-abc' }),
  ];
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201]);
  expect(sets).toEqual([]);
});

it('receipts are forwarded one by one to a service of the previous version', async () => {
  harness.state.sets = null;
  const bodies = some(3);
  const responses = await Promise.all(bodies.map((body) => post(body)));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201]);
  const bytes = harness.state.seen.map(({ body }) => body?.toString('hex'));
  expect(bytes.toSorted()).toEqual(bodies.map((body) => body.toString('hex')).toSorted());
});
