import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@daylift/testing/eventually';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../test/harness.ts';
import { type Faults, openFaults } from './faults.ts';
import { openStore, type Store } from './store.ts';
import { createWebhookSender, type WebhookSenderOptions } from './webhook-sender.ts';

let dir: string;
let store: Store;
let faults: Faults;
let receiver: Receiver;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sandbox-webhooks-'));
  store = await openStore(dir);
  faults = openFaults(store);
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await store.close();
  await rm(dir, { recursive: true });
});

const createSender = (options: Partial<WebhookSenderOptions> = {}) =>
  createWebhookSender({
    name: 'test',
    faults,
    retryDelaysMs: [10, 20],
    timeoutMs: 1_000,
    sign: (rawBody) => ({ 'x-signed': String(rawBody.length) }),
    ...options,
  });

it('delivers 50 at a time, so a slow response does not delay the others', async () => {
  let waiting = 0;
  let most = 0;
  receiver.answer = async () => {
    waiting += 1;
    most = Math.max(most, waiting);
    await eventually(() => most >= 50);
    waiting -= 1;
    return 200;
  };
  const sender = createSender();
  for (let n = 0; n < 80; n += 1) sender.send(receiver.url, `{"n":${n}}`);
  expect(sender.pending()).toBe(80);
  await eventually(() => sender.pending() === 0);
  expect(most).toBe(50);
  expect(sender.counts).toMatchObject({ delivered: 80, given_up: 0 });
});

it('retries while the receiver is down, and stops after the last pause', async () => {
  await receiver.close();
  const sender = createSender();
  await sender.send(receiver.url, '{}');
  expect(sender.counts).toMatchObject({ delivered: 0, failed_attempts: 3, given_up: 1 });
  receiver = await startReceiver();
});

it('counts a redirect as a failure', async () => {
  receiver.answer = () => (receiver.hooks.length === 1 ? 302 : 200);
  const sender = createSender();
  await sender.send(receiver.url, '{}');
  expect(sender.counts).toMatchObject({ delivered: 1, failed_attempts: 1 });
});

it('drops events as the dial says, and only counts them', async () => {
  faults.change({ ...faults.current, webhook: { ...faults.current.webhook, drop: 1 } });
  const sender = createSender();
  await sender.send(receiver.url, '{}');
  expect(sender.counts).toMatchObject({ delivered: 0, dropped: 1 });
  expect(receiver.hooks).toEqual([]);
});
