import { randomUUID } from 'node:crypto';
import { dayMs } from '@daylift/clock/durations';
import type { Recipient } from '@daylift/contracts/accounts.events';
import type { UnreachableReason } from '@daylift/contracts/fields';
import { readMetrics } from '@daylift/testing/metrics';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aDispatch, aNumber, aSubscriber, release } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { receipt } from '../../test/receipts.ts';
import { signed } from '../../test/sandbox.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
afterEach(() => harness.sandbox.faults({ reset: true }));

type Person = Awaited<ReturnType<typeof aSubscriber>>;
interface Unreachable {
  user_id: string;
  recipient_version: number;
  reason: UnreachableReason;
  at: string;
}

const reportsOf = async ({ user_id }: Recipient) =>
  (await harness.published<Unreachable>('sms.recipient.unreachable')).filter(
    (one) => one.user_id === user_id,
  );

let days = 0;
const localDate = () =>
  new Date(Date.UTC(2027, 2, 9) + (days % 20) * dayMs).toISOString().slice(0, 10);
/** Sends a daily text that fails with this code or is delivered. */
async function aText(
  person: Person,
  fault?: { code: string; final?: string },
  change: Parameters<typeof aDispatch>[2] = {},
): Promise<string> {
  if (change.kind === undefined) days += 1;
  await harness.sandbox.faults({ reset: true });
  if (fault) await harness.sandbox.faults({ recipients: { [person.phone]: fault } });
  const dispatch = aDispatch(person, harness, { local_date: localDate(), ...change });
  await release(harness, [dispatch]);
  const result = await harness.send(dispatch.dispatch_id);
  if (result === 'accepted') await harness.reaches(dispatch.dispatch_id, endOf(fault));
  return dispatch.dispatch_id;
}

const endOf = (fault?: { final?: string }) =>
  fault === undefined ? 'delivered' : fault.final === 'delivery_unconfirmed' ? 'sent' : 'failed';

/** Sends a text without waiting for its fate. */
async function aSilentText(person: Person): Promise<string> {
  days += 1;
  const dispatch = aDispatch(person, harness, { local_date: localDate() });
  await release(harness, [dispatch]);
  await harness.send(dispatch.dispatch_id);
  return dispatch.dispatch_id;
}

/** The provider reports how a text ended. */
async function reported(id: string, { phone }: Person, result: { status: string; code?: string }) {
  const { provider_id } = await harness.text(id);
  const body = receipt({ ...result, provider_id: provider_id ?? '', to: phone });
  const url = `/webhooks/telnyx/${id}`;
  await harness.call({ method: 'POST', url, body, headers: signed(body) });
}
const failuresOf = async ({ user_id }: Person) =>
  (
    await harness.db
      .selectFrom('recipients')
      .select('failures')
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
  ).failures;

const refused = { code: '40012' };
const late = { status: 'delivery_failed', code: '40008' };
const undelivered = { code: '40008', final: 'delivery_failed' };

describe('a number that texts do not reach is reported', () => {
  it.each([
    ['in the response', { code: '40001' }],
    ['in a receipt', { code: '40001', final: 'delivery_failed' }],
  ])('immediately if it is a landline, %s', async (_, fault) => {
    const person = await aSubscriber(harness);
    await aText(person, fault);
    expect(await reportsOf(person)).toEqual([
      {
        user_id: person.user_id,
        recipient_version: 1,
        reason: 'landline',
        at: expect.stringMatching(/^2027-03-09T/),
      },
    ]);
  });

  it('after three failures in a row, in responses and receipts alike', async () => {
    const person = await aSubscriber(harness);
    await aText(person, undelivered);
    await aText(person, refused);
    expect(await reportsOf(person)).toEqual([]);
    const count = async () =>
      (await readMetrics(harness.app))('sms_numbers_unreachable_total', {
        reason: 'undelivered',
      }) ?? 0;
    const before = await count();
    await aText(person, undelivered);
    expect(await reportsOf(person)).toMatchObject([{ reason: 'undelivered' }]);
    expect(await count()).toBe(before + 1);
  });

  it('as disconnected if the last error says so', async () => {
    const person = await aSubscriber(harness);
    for (let time = 0; time < 3; time += 1) await aText(person, refused);
    expect(await reportsOf(person)).toMatchObject([{ reason: 'disconnected' }]);
  });

  it('only after three more once a text was delivered', async () => {
    const person = await aSubscriber(harness);
    await aText(person, refused);
    await aText(person, refused);
    await aText(person);
    await aText(person, refused);
    await aText(person, refused);
    expect(await reportsOf(person)).toEqual([]);
    await aText(person, refused);
    expect(await reportsOf(person)).toHaveLength(1);
  });

  it("not for the carrier's errors or a failure of our own", async () => {
    const person = await aSubscriber(harness);
    for (const code of ['40004', '40005', '40006', '40009', '40300', '40302'])
      await aText(person, { code, final: 'delivery_failed' });
    expect(await reportsOf(person)).toEqual([]);
  });

  it('not by several failures on one date', async () => {
    const person = await aSubscriber(harness);
    for (let time = 0; time < 2; time += 1) {
      await aText(person, undelivered);
      await aText(person, undelivered, { kind: 'announcement', generation: 2 });
    }
    expect(await reportsOf(person)).toEqual([]);
  });

  it('not by codes, which strangers can request', async () => {
    const person = await aSubscriber(harness, { phone_proven: true });
    await harness.sandbox.faults({ recipients: { [person.phone]: refused } });
    for (let time = 0; time < 4; time += 1)
      await harness.receive('accounts.code.requested', {
        ...{ request_id: randomUUID(), user_id: person.user_id },
        expires_at: new Date(harness.clock.now().getTime() + 600_000).toISOString(),
      });
    await harness.sendAllDue();
    expect((await harness.textsOf(person.user_id)).map(({ state }) => state)).toEqual(
      Array(4).fill('refused'),
    );
    expect(await reportsOf(person)).toEqual([]);
  });

  it('only after three more once a text was sent without a report, or the number sent one', async () => {
    const [sent, reported] = [await aSubscriber(harness), await aSubscriber(harness)];
    for (const person of [sent, reported]) {
      await aText(person, refused);
      await aText(person, refused);
    }
    await aText(sent, { code: '40008', final: 'delivery_unconfirmed' });
    await expect.poll(() => failuresOf(sent)).toBe(0);
    await harness.sandbox.reply(reported.phone, 'Hello');
    await expect.poll(() => failuresOf(reported)).toBe(0);
    for (const person of [sent, reported]) {
      await aText(person, refused);
      expect(await reportsOf(person)).toEqual([]);
    }
  });

  it('not by a repeated receipt', async () => {
    const person = await aSubscriber(harness, { phone: '+12143000003' });
    const id = await aSilentText(person);
    for (let time = 0; time < 4; time += 1) await reported(id, person, late);
    expect(await harness.text(id)).toMatchObject({ state: 'failed' });
    expect(await reportsOf(person)).toEqual([]);
  });

  it('not with late receipts of texts before one that arrived', async () => {
    const person = await aSubscriber(harness, { phone: '+13123000003' });
    const ids: string[] = [];
    for (let time = 0; time < 4; time += 1) {
      ids.push(await aSilentText(person));
      await harness.moveTo(new Date(harness.clock.now().getTime() + 60_000));
    }
    await reported(ids.pop()!, person, { status: 'delivered' });
    for (const id of ids) await reported(id, person, late);
    expect(await harness.text(ids[2]!)).toMatchObject({ state: 'failed' });
    expect(await reportsOf(person)).toEqual([]);
  });

  it('not with failures of an earlier number', async () => {
    const person = await aSubscriber(harness);
    await aText(person, refused);
    await aText(person, refused);
    const moved = { ...person, version: 2, phone: aNumber() };
    await harness.receive('accounts.recipient.changed', moved);
    await aText(moved, refused);
    expect(await reportsOf(person)).toEqual([]);
  });
});

describe('a reported number', () => {
  it('is not asked by itself, and a YES from it is confirmed', async () => {
    const person = await aSubscriber(harness, { phone_proven: false });
    await aText(person, { code: '40001' });
    await harness.sandbox.faults({ reset: true });
    const paused: Person = { ...person, version: 2, consent: 'pending', phone_proven: false };
    await harness.receive('accounts.recipient.changed', paused);
    await harness.sendAllDue();
    expect(await harness.sandbox.texts(person.phone)).toEqual([]);
    await harness.sandbox.reply(person.phone, 'YES');
    await expect
      .poll(async () =>
        (await harness.published<Unreachable>('sms.consent.confirmed')).filter(
          (one) => one.user_id === person.user_id,
        ),
      )
      .toMatchObject([{ recipient_version: 2 }]);
    await harness.sendAllDue();
    expect((await harness.sandbox.texts(person.phone)).map(({ text }) => text)).toEqual([
      'Daylift: Thank you, this number is confirmed. Reply HELP for help, STOP to cancel.',
    ]);
  });

  it('leaves no counts behind when its account is deleted', async () => {
    const person = await aSubscriber(harness);
    await aText(person, refused);
    await harness.receive('accounts.user.deleted', { user_id: person.user_id });
    const row = await harness.db
      .selectFrom('recipients')
      .select(['failures', 'failed_at'])
      .where('user_id', '=', person.user_id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ failures: 0, failed_at: null });
  });
});
