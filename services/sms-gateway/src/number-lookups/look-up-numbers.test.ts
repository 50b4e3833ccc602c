import { hourMs } from '@daylift/clock/durations';
import type { UnreachableReason } from '@daylift/contracts/fields';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { aDispatch, aNumber, aSubscriber, asService, release } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { lookUpNumbers } from './look-up-numbers.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
afterEach(() => harness.sandbox.faults({ reset: true }));

type Person = Awaited<ReturnType<typeof aSubscriber>>;
const aProven = (change: Partial<Person> = {}) =>
  aSubscriber(harness, { phone_proven: true, ...change });
/** How often the provider was asked. */
const lookupsOf = async (phone: string) =>
  (await harness.sandbox.lookups()).filter(({ number }) => number === phone).length;
const reportsOf = async ({ user_id }: Person) =>
  (
    await harness.published<{ user_id: string; reason: UnreachableReason }>(
      'sms.recipient.unreachable',
    )
  ).filter((one) => one.user_id === user_id);
const lineOf = async ({ user_id }: Person) => {
  const response = await harness.call({ url: `/internal/opt-out/${user_id}`, as: asService });
  return response.json<{ line: unknown }>().line;
};
const landline = (phone: string) =>
  harness.sandbox.faults({ line_types: { [phone]: 'fixed line' } });
const passes = (hours: number) =>
  harness.moveTo(new Date(harness.clock.now().getTime() + hours * hourMs));

it('a proven number is looked up once, whatever its account changes and however often it moves', async () => {
  const person = await aProven();
  await lookUpNumbers(harness.deps);
  const other = aNumber();
  for (const [version, phone] of [person.phone, other, person.phone].entries())
    await harness.receive('accounts.recipient.changed', { ...person, phone, version: version + 2 });
  await lookUpNumbers(harness.deps);
  await lookUpNumbers(harness.deps);
  expect([await lookupsOf(person.phone), await lookupsOf(other)]).toEqual([1, 0]);
  expect(await lineOf(person)).toEqual({ type: 'mobile', carrier: 'T-Mobile US' });
  expect(await reportsOf(person)).toEqual([]);
});

it('a number that no one has proven is not looked up', async () => {
  const person = await aProven({ phone_proven: false });
  expect(await lookUpNumbers(harness.deps)).toBe(0);
  await harness.receive('accounts.recipient.changed', {
    ...person,
    version: 2,
    phone_proven: true,
  });
  expect(await lookUpNumbers(harness.deps)).toBe(1);
  expect(await lookupsOf(person.phone)).toBe(1);
});

it('a proven number keeps its texts even if it is called a landline', async () => {
  const person = await aProven();
  await landline(person.phone);
  await lookUpNumbers(harness.deps);
  expect(await reportsOf(person)).toEqual([]);
  expect(await lineOf(person)).toMatchObject({ type: 'fixed line' });
});

it('a failed lookup delays no text, is retried later, and is eventually abandoned', async () => {
  const person = await aProven();
  await harness.sandbox.faults({ telnyx_down: true });
  expect(await lookUpNumbers(harness.deps)).toBe(1);
  expect(await lookUpNumbers(harness.deps)).toBe(0);
  await harness.sandbox.faults({ telnyx_down: false });
  const dispatch = aDispatch(person, harness);
  await release(harness, [dispatch]);
  expect(await harness.send(dispatch.dispatch_id)).toBe('accepted');
  await harness.sandbox.faults({ telnyx_down: true });
  for (const hours of [3, 5, 9, 17]) {
    await passes(hours);
    await lookUpNumbers(harness.deps);
  }
  await harness.sandbox.faults({ telnyx_down: false });
  await passes(100);
  expect(await lookUpNumbers(harness.deps)).toBe(0);
  expect(await lookupsOf(person.phone)).toBe(0);
});

it('lookups stay within a cap per hour over all replicas', async () => {
  await passes(1);
  await harness.db
    .insertInto('area_spend')
    .values({ area: 'number_lookups', hour: hourOf(harness.clock.now()), texts: 598 })
    .execute();
  const people: Person[] = [];
  for (let index = 0; index < 4; index += 1) people.push(await aProven());
  const replicas = Array.from({ length: 3 }, () => lookUpNumbers(harness.deps));
  const done = await Promise.all(replicas);
  expect(done.reduce((sum, one) => sum + one, 0)).toBe(2);
  await passes(1);
  await lookUpNumbers(harness.deps);
  for (const { phone } of people) expect(await lookupsOf(phone)).toBe(1);
});
const hourOf = (now: Date) => new Date(Math.floor(now.getTime() / hourMs) * hourMs);

it('lookup results are exported, and erased with the account', async () => {
  const person = await aProven();
  await lookUpNumbers(harness.deps);
  const url = `/internal/export/${person.user_id}`;
  const known = await harness.call({ url, as: asService });
  expect(known.json()).toMatchObject({
    number_lookup: { line_type: 'mobile', carrier: 'T-Mobile US' },
  });
  await harness.receive('accounts.user.deleted', { user_id: person.user_id });
  const left = await harness.db
    .selectFrom('number_lookups')
    .select('carrier')
    .where('user_id', '=', person.user_id)
    .execute();
  expect(left).toEqual([]);
});
