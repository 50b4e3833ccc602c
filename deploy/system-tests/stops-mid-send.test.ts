import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSecrets } from '../local/secrets.ts';
import { fillDatabase } from '../local/seed/fill-database.ts';
import type { ProductClient } from './product-client.ts';
import { queryDatabase } from './query-database.ts';
import { startTestStack, type TestStack } from './stack-for-test.ts';

/** The send takes about 30 s at this rate. */
const readers = 900;
const perSecond = 30;
const password = 'a long enough password';

let running: TestStack;
let product: ProductClient;
let owner: string;

beforeAll(async () => {
  running = await startTestStack({
    CLOCK_START: '2027-04-05T15:20:00Z',
    SMS_RATE_PER_SECOND: String(perSecond),
  });
  product = running.product;
  owner = await product.adminLogin(running.stack.adminCredentials);
}, 180_000);
afterAll(() => running?.stop());

interface Person {
  id: string;
  phone: string;
  token: string;
}

async function join(index: number): Promise<Person> {
  const phone = `+1415556${1_000 + index}`;
  const email = `mid-send-${index}@example.com`;
  const id = await product.signUp({
    name: 'Ada',
    email,
    phone,
    password,
    timezone: 'America/New_York',
    delivery_time: '23:00',
    sms_consent: true,
  });
  await product.pay(await product.openCheckout(id));
  return { id, phone, token: await product.login(email, password) };
}

const must = async (call: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await call;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
};
const stops: Record<string, (person: Person) => Promise<unknown>> = {
  // The sandbox refuses texts to a number after a STOP that it recognizes itself.
  'REVOKE by text': ({ phone }) => product.reply(phone, 'REVOKE'),
  'PAUSE by text': ({ phone }) => product.reply(phone, 'PAUSE 7'),
  'delivery switched off': ({ token }) =>
    must(product.api('POST', '/users/me/toggle-delivery?enable=false', undefined, token)),
  'a pause on the dashboard': ({ token }) =>
    must(product.api('PUT', '/users/me', { paused_until: '2027-04-20' }, token)),
  'the account deleted': ({ token }) =>
    must(product.api('POST', '/users/me/delete', { password }, token)),
};
const peoplePerStop = 5;

const countTexts = async (condition: string, ...values: unknown[]): Promise<number> => {
  const statement = `select count(*)::int as count from sms_gateway.texts where kind = 'daily' and ${condition}`;
  return (await queryDatabase<{ count: number }>(running.stack, statement, values))[0]?.count ?? 0;
};

/** Delays every event, as a large send does, for as long as `act` runs. */
async function withoutEvents<T>(act: () => Promise<T>): Promise<T> {
  const pid = running.stack.processes().find(({ name }) => name === 'nats')?.pid ?? 0;
  expect(pid).toBeGreaterThan(0);
  process.kill(pid, 'SIGSTOP');
  try {
    return await act();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

test('a person who opts out, pauses, switches off or deletes during a manual send gets nothing that starts more than a second after the response, however late events are', async () => {
  await fillDatabase({
    databaseAdminUrl: running.stack.databaseAdminUrl,
    secrets: loadSecrets(running.stack.layout.secrets, {}),
    size: { subscribers: readers, texts: 0, due: 0 },
    now: await product.now(),
    print: () => undefined,
  });
  const people: (Person & { stop: string })[] = [];
  for (const stop of Object.keys(stops))
    for (let index = 0; index < peoplePerStop; index += 1)
      people.push({ ...(await join(people.length)), stop });
  await product.settle();
  const body = {
    title: 'Now',
    content: 'Right now is a good time.',
    scheduled_date: '2027-04-05',
  };
  const path = '/admin/scheduled-messages';
  const message = await product.api<{ id: string }>('POST', path, body, owner);
  await product.settle();
  await product.faults({ latency_ms: { telnyx: 400, stripe: 0 } });
  const ofMessage = async (to?: string) =>
    (await product.texts(to)).filter(({ text }) => text.includes(body.content));
  const sending = product.api('POST', `${path}/${message.body.id}/send-now`, undefined, owner);
  const ids = people.map(({ id }) => id);
  await expect
    .poll(() => countTexts('user_id = any($1)', ids), { timeout: 60_000, interval: 50 })
    .toBe(ids.length);
  const stopped = await withoutEvents(async () => {
    const answered = await Promise.all(
      people.map(async (person) => {
        await stops[person.stop]?.(person);
        return { ...person, at: Date.now() };
      }),
    );
    await expect
      .poll(() => countTexts(`state in ('queued', 'inflight')`), {
        timeout: 90_000,
        interval: 250,
      })
      .toBe(0);
    return answered;
  });
  expect((await sending).status).toBe(200);
  await product.settle();
  const late: object[] = [];
  for (const { phone, stop, at } of stopped)
    for (const { accepted_wall_at } of await ofMessage(phone)) {
      const ms = Date.parse(accepted_wall_at) - at;
      // The provider took up to 400 ms to accept it.
      if (ms > 1_400) late.push({ stop, ms });
    }
  expect(late).toEqual([]);
  const counts = await Promise.all(
    Object.keys(stops).map(async (stop) => {
      const texts = await Promise.all(
        stopped.filter((one) => one.stop === stop).map(({ phone }) => ofMessage(phone)),
      );
      return texts.flat().length;
    }),
  );
  // Each way stopped some texts that would have been sent later.
  for (const count of counts) expect(count).toBeLessThan(peoplePerStop);
}, 240_000);
