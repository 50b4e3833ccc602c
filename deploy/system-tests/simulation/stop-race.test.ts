import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSecrets } from '../../local/secrets.ts';
import { fillDatabase } from '../../local/seed/fill-database.ts';
import type { AcceptedText, ProductClient } from '../product-client.ts';
import { startTestStack, type TestStack } from '../stack-for-test.ts';
import { inParallel } from './run-simulation.ts';

const readers = Number(process.env.STOP_RACE_READERS ?? 10_000);
const perSecond = 150;
const stops = 300;
/** The sandbox would refuse later texts itself after a STOP that it recognizes, so these words are only ours. */
const words = ['REVOKE', 'Opt out', 'please stop texting me', 'Remove'];
const content = 'Right now is a good time.';

let running: TestStack;
let product: ProductClient;

beforeAll(async () => {
  running = await startTestStack({
    CLOCK_START: '2027-04-05T15:20:00Z',
    SMS_RATE_PER_SECOND: String(perSecond),
  });
  product = running.product;
  await fillDatabase({
    databaseAdminUrl: running.stack.databaseAdminUrl,
    secrets: loadSecrets(running.stack.layout.secrets, {}),
    size: { subscribers: Math.ceil(readers * 1.3), texts: 0, due: 0 },
    now: await product.now(),
    print: () => undefined,
  });
  await product.settle();
}, 300_000);
afterAll(() => running?.stop());

const received = async () => (await product.texts()).filter(({ text }) => text.includes(content));

test(`during a send to ${readers}, no one gets a text that starts more than a second after their STOP was accepted`, async () => {
  const owner = await product.adminLogin(running.stack.adminCredentials);
  const path = '/admin/scheduled-messages';
  const body = { title: 'Now', content, scheduled_date: '2027-04-05' };
  const message = await product.api<{ id: string }>('POST', path, body, owner);
  const sending = product.api('POST', `${path}/${message.body.id}/send-now`, undefined, owner);
  await expect.poll(async () => (await received()).length, { timeout: 120_000 }).toBeGreaterThan(0);

  const numbers = Array.from({ length: stops }, (_unused, index) => {
    const person = 1 + Math.floor((index * readers) / stops);
    return { phone: `+1555${String(person).padStart(7, '0')}`, word: words[index % words.length]! };
  });
  const stopped = new Map<string, number>();
  // Spread over the whole send, in another order than the texts.
  const gapMs = (readers / perSecond / stops) * 1_000;
  await inParallel(
    numbers.map((one, index) => ({ ...one, afterMs: ((index * 7) % stops) * gapMs })),
    stops,
    async ({ phone, word, afterMs }) => {
      await delay(afterMs);
      await product.reply(phone, word);
      stopped.set(phone, Date.now());
    },
  );
  expect((await sending).status).toBe(200);
  await product.settle();

  const texts = await received();
  const late = texts.flatMap(({ to, accepted_wall_at }) => {
    const ms = Date.parse(accepted_wall_at) - (stopped.get(to) ?? Number.POSITIVE_INFINITY);
    return ms > 1_000 ? [{ to, ms }] : [];
  });
  expect(late).toEqual([]);
  expect(texts.length).toBeGreaterThan(readers * 0.9);
  // Some stopped before their text, some after.
  const reached = new Set(texts.map(({ to }: AcceptedText) => to));
  const spared = [...stopped.keys()].filter((phone) => !reached.has(phone)).length;
  expect(spared).toBeGreaterThan(stops / 10);
  expect(stops - spared).toBeGreaterThan(stops / 10);
}, 1_200_000);
