import { randomUUID } from 'node:crypto';
import { dayMs } from '@daylift/clock/durations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDispatch, aNumber, aSubscriber, release } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { ensurePartitions } from '../loops.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

type Person = Awaited<ReturnType<typeof aSubscriber>>;

const dayPasses = async (days: number) => {
  await harness.moveTo(new Date(harness.clock.now().getTime() + days * dayMs));
  await ensurePartitions(harness.deps);
};
const today = () => harness.clock.now().toISOString().slice(0, 10);
async function aText(person: Person) {
  const dispatch = aDispatch(person, harness, { local_date: today() });
  await release(harness, [dispatch]);
  await harness.send(dispatch.dispatch_id);
  return harness.text(dispatch.dispatch_id);
}
const textsTo = async ({ phone }: Person) => (await harness.sandbox.texts(phone)).length;
const reportsOf = async ({ user_id }: Person) =>
  (await harness.published<{ user_id: string }>('sms.recipient.unreachable')).filter(
    (one) => one.user_id === user_id,
  );

/** A recovery code, which anyone can request. */
async function aCode({ user_id }: Person) {
  await harness.receive('accounts.code.requested', {
    ...{ request_id: randomUUID(), user_id },
    expires_at: new Date(harness.clock.now().getTime() + 600_000).toISOString(),
  });
  await harness.sendAllDue();
  return (await harness.textsOf(user_id)).find(({ kind }) => kind === 'one_time_code')?.state;
}

describe('after 45 days without a text', () => {
  let people: Record<'silent' | 'rare' | 'answers' | 'moved' | 'coded' | 'agrees', Person>;
  let fresh: Person;
  beforeAll(async () => {
    people = {
      silent: await aSubscriber(harness),
      rare: await aSubscriber(harness),
      answers: await aSubscriber(harness),
      moved: await aSubscriber(harness),
      coded: await aSubscriber(harness, { phone_proven: true }),
      agrees: await aSubscriber(harness),
    };
    fresh = await aSubscriber(harness);
    for (const person of Object.values(people))
      expect(await aText(person)).toMatchObject({ handed_at: expect.any(Date) });
    await dayPasses(5);
    // Too soon after the first one to be noted; it counts nevertheless.
    expect(await aText(people.rare)).toMatchObject({ handed_at: expect.any(Date) });
    await dayPasses(4);
    expect(await aCode(people.coded)).toMatch(/accepted|sent|delivered/);
    await dayPasses(37);
  });

  it('the day is skipped, and the number must reply YES', async () => {
    expect(await aText(people.silent)).toMatchObject({
      ...{ state: 'skipped', reason: 'number_inactive', handed_at: null },
    });
    expect(await reportsOf(people.silent)).toMatchObject([
      { user_id: people.silent.user_id, reason: 'inactive' },
    ]);
    expect((await harness.settled()).at(-1)).toMatchObject({
      ...{ user_id: people.silent.user_id, outcome: 'skipped', reason: 'number_inactive' },
    });
    expect(await textsTo(people.silent)).toBe(1);
  });

  it('a YES is requested immediately, and resumes the texts', async () => {
    const { silent } = people;
    const paused = { ...silent, version: 2, consent: 'pending' as const };
    await harness.receive('accounts.recipient.changed', paused);
    const asked_at = harness.clock.now().toISOString();
    const request = { request_id: randomUUID(), user_id: silent.user_id, asked_at };
    await harness.receive('accounts.consent.asked', request);
    await harness.sendAllDue();
    expect((await harness.sandbox.texts(silent.phone)).at(-1)?.text).toMatch(/Reply YES to get/);
    await harness.sandbox.reply(silent.phone, 'YES');
    await expect
      .poll(async () =>
        (await harness.published<{ user_id: string }>('sms.consent.confirmed')).map(
          ({ user_id }) => user_id,
        ),
      )
      .toEqual([silent.user_id]);
    const granted = { ...silent, version: 3 };
    await harness.receive('accounts.recipient.changed', granted);
    await dayPasses(1);
    expect(await aText(granted)).toMatchObject({ handed_at: expect.any(Date) });
  });

  it('a text 41 days ago is enough, and a subscriber who never got one is new', async () => {
    for (const person of [people.rare, fresh]) {
      expect(await aText(person)).toMatchObject({ handed_at: expect.any(Date) });
      expect(await reportsOf(person)).toEqual([]);
    }
  });

  it("a code sent to the number doesn't count", async () => {
    expect(await aText(people.coded)).toMatchObject({ reason: 'number_inactive' });
  });

  it('renewed consent is enough, even without a text from the number', async () => {
    const { agrees } = people;
    expect(await aText(agrees)).toMatchObject({ reason: 'number_inactive' });
    const paused = { ...agrees, version: 2, consent: 'pending' as const };
    await harness.receive('accounts.recipient.changed', paused);
    await harness.receive('accounts.recipient.changed', { ...agrees, version: 3 });
    await dayPasses(1);
    expect(await aText(agrees)).toMatchObject({ handed_at: expect.any(Date) });
  });

  it('a reply from the number shows that it is still theirs', async () => {
    await harness.sandbox.reply(people.answers.phone, 'Hello again');
    await expect
      .poll(() =>
        harness.db
          .selectFrom('inbound_texts')
          .select('id')
          .where('from_number', '=', people.answers.phone)
          .execute(),
      )
      .toHaveLength(1);
    expect(await aText(people.answers)).toMatchObject({ handed_at: expect.any(Date) });
  });

  it('a new number needs no second proof', async () => {
    const moved = { ...people.moved, phone: aNumber(), version: 2 };
    await harness.receive('accounts.recipient.changed', moved);
    expect(await aText(moved)).toMatchObject({ handed_at: expect.any(Date) });
  });
});
