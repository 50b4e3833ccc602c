import { eventually } from '@daylift/testing/eventually';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adminCalls } from '../../test/admin-calls.ts';
import {
  aDispatch,
  aNumber,
  aQueuedText,
  entitlement,
  recipientFacts,
  release,
} from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';

const path = '/admin/settings/testing-mode';
let harness: Harness;
let admin: ReturnType<typeof adminCalls>;

beforeAll(async () => {
  harness = await createHarness();
  admin = adminCalls(harness);
});
afterEach(() => admin.post(path, { enabled: false }));
afterAll(() => harness.close());

const switchOn = (test_phone = aNumber()) =>
  admin.post(path, { enabled: true, test_phone }).then(() => test_phone);
const switchOff = () => admin.post(path, { enabled: false });
const wordsTo = async (number: string) =>
  (await harness.sandbox.texts(number)).map(({ text }) => text);

describe('testing mode', () => {
  it('shows who enabled it and when, and masks the number for viewers', async () => {
    const number = aNumber();
    const response = await admin.post(path, { enabled: true, test_phone: number });
    expect(response.json()).toEqual({
      testing_mode_enabled: true,
      test_phone_number: number,
      enabled_at: expect.any(String),
      enabled_by: 'someone',
    });
    expect((await admin.get(path, 'operator')).json()).toEqual(response.json());
    const seen = (await admin.get(path, 'viewer')).json<{ test_phone_number: string }>();
    expect(seen.test_phone_number).toBe(`+1••••••••${number.slice(-2)}`);
  });

  it('accepts a number in any format, and keeps it when disabled', async () => {
    await switchOn('(312) 556-0199');
    await switchOff();
    expect((await admin.get(path, 'operator')).json()).toEqual({
      testing_mode_enabled: false,
      test_phone_number: '+13125560199',
      enabled_at: null,
      enabled_by: null,
    });
  });

  it.each([
    [{ enabled: true }],
    [{ enabled: true, test_phone: '' }],
    [{ enabled: true, test_phone: null }],
    [{ enabled: true, test_phone: '12' }],
    [{ enabled: true, test_phone: '+33612345678' }],
    [{ enabled: 'true', test_phone: '+13125560100' }],
    [{ enabled: 1, test_phone: '+13125560100' }],
    [{ test_phone: '+13125560100' }],
    [{ enabled: true, test_phone: '+13125560100', extra: 1 }],
  ])('rejects %j', async (body) => {
    expect((await admin.post(path, body)).statusCode).toBe(400);
  });

  it('rejects a number that said STOP', async () => {
    const number = aNumber();
    await harness.sandbox.reply(number, 'STOP');
    await eventually(async () => {
      const row = await harness.db
        .selectFrom('opt_outs')
        .selectAll()
        .where('number_hash', '=', harness.deps.numberHash(number))
        .executeTakeFirst();
      return row?.opted_out;
    });
    const response = await admin.post(path, { enabled: true, test_phone: number });
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({ code: 'TEST_PHONE_STOPPED' });
  });

  it("is for operators; viewers can read, subscribers can't", async () => {
    expect((await admin.post(path, { enabled: false }, 'viewer')).statusCode).toBe(403);
    expect(await admin.refusals('GET', path)).toEqual([401, 403]);
    expect(await admin.refusals('POST', path)).toEqual([401, 403]);
  });

  it('is audited once for a double click, without the number', async () => {
    const number = aNumber();
    const before = (await admin.adminActions()).length;
    const body = { enabled: true, test_phone: number };
    await Promise.all([admin.post(path, body), admin.post(path, body), admin.post(path, body)]);
    await Promise.all([switchOff(), switchOff()]);
    const adminActions = (await admin.adminActions()).slice(before);
    expect(adminActions.map(({ action }) => action)).toEqual([
      'testing_mode.switched_on',
      'testing_mode.switched_off',
    ]);
    expect(JSON.stringify(adminActions)).not.toContain(number);
  });
});

describe("while it's on", () => {
  it('sends a marked text only to the test number, outside of the daily limit', async () => {
    const testPhone = await switchOn();
    const { id, recipient } = await aQueuedText(harness);
    await harness.sendAllDue();
    expect(await wordsTo(recipient.phone)).toEqual([]);
    expect(await wordsTo(testPhone)).toEqual(['[Test] Good morning, Ada! Breathe.']);
    expect(await harness.text(id)).toMatchObject({ is_test: true, to_number: testPhone });
    await switchOff();
    const second = aDispatch(recipient, harness, { generation: 2 });
    await release(harness, [second]);
    await harness.sendAllDue();
    expect(await wordsTo(recipient.phone)).toHaveLength(1);
    expect((await harness.text(second.dispatch_id)).is_test).toBe(false);
  });

  it("holds welcomes and consent requests until it's off", async () => {
    const testPhone = await switchOn();
    const welcomed = recipientFacts();
    const pending = recipientFacts({ consent: 'pending' });
    for (const facts of [welcomed, pending]) {
      await harness.receive('accounts.recipient.changed', facts);
      await harness.receive('billing.subscription.changed', entitlement(facts.user_id));
    }
    await harness.receive('accounts.consent.asked', {
      request_id: crypto.randomUUID(),
      user_id: pending.user_id,
      asked_at: harness.clock.now().toISOString(),
    });
    // A number is asked again only after a minute.
    await harness.moveTo(new Date(harness.clock.now().getTime() + 60_000));
    await harness.sendAllDue();
    expect(await wordsTo(testPhone)).toHaveLength(3);
    await Promise.all([switchOff(), switchOff()]);
    await harness.sendAllDue();
    expect(await wordsTo(welcomed.phone)).toEqual([expect.stringMatching(/^Welcome/)]);
    expect(await wordsTo(pending.phone)).toEqual([
      expect.stringContaining('Reply YES'),
      expect.stringContaining('Reply YES'),
    ]);
    await switchOn();
    await switchOff();
    await harness.sendAllDue();
    expect(await wordsTo(welcomed.phone)).toHaveLength(1);
    await harness.sandbox.reply(pending.phone, 'YES');
    await eventually(async () => (await harness.published('sms.consent.confirmed')).length > 0);
  });

  it.each([
    ['a bad number', '40310'],
    ['its STOP', '40300'],
  ])('sends a welcome that the provider refused at the test number for %s', async (_, code) => {
    const testPhone = await switchOn();
    await harness.sandbox.faults({ recipients: { [testPhone]: { code } } });
    const welcomed = recipientFacts();
    await harness.receive('accounts.recipient.changed', welcomed);
    await harness.receive('billing.subscription.changed', entitlement(welcomed.user_id));
    await harness.sendAllDue();
    await switchOff();
    await harness.sendAllDue();
    expect(await wordsTo(welcomed.phone)).toEqual([expect.stringMatching(/^Welcome/)]);
    await harness.sandbox.faults({ reset: true });
  });

  it("waits for a recipient's morning before it repeats a welcome", async () => {
    const testPhone = await switchOn();
    // It is 2 AM there.
    const asleep = recipientFacts({ timezone: 'Australia/Sydney' });
    await harness.receive('accounts.recipient.changed', asleep);
    await harness.receive('billing.subscription.changed', entitlement(asleep.user_id));
    await harness.sendAllDue();
    expect(await wordsTo(testPhone)).toHaveLength(1);
    await switchOff();
    await harness.sendAllDue();
    expect(await wordsTo(asleep.phone)).toEqual([]);
    await harness.moveTo(new Date('2027-03-09T21:00:00Z'));
    await harness.sendAllDue();
    expect(await wordsTo(asleep.phone)).toEqual([expect.stringMatching(/^Welcome/)]);
  });
});
