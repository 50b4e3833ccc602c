import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Signup } from '../product-client.ts';
import { queryDatabase } from '../query-database.ts';
import { startTestStack, type TestStack } from '../stack-for-test.ts';

let test: TestStack;
beforeAll(async () => {
  test = await startTestStack({ SMS_UNPAID_PER_PREFIX_HOUR: '20' });
}, 180_000);
afterAll(() => test.stop());

let people = 0;
function aPerson(phone: string, overrides: Partial<Signup> = {}): Signup {
  people += 1;
  return {
    name: `Person ${people}`,
    email: `texts-${people}@example.com`,
    phone,
    password: 'a long enough password',
    timezone: 'America/New_York',
    delivery_time: '10:00',
    sms_consent: true,
    ...overrides,
  };
}

async function aSubscriber(phone: string, overrides: Partial<Signup> = {}) {
  const { product } = test;
  const person = aPerson(phone, overrides);
  const id = await product.signUp(person);
  const session = await product.openCheckout(id);
  await product.pay(session);
  await eventually(async () => (await product.texts(phone)).length > 0, { what: 'the first text' });
  return { ...person, id };
}

const requestCode = (login: string) =>
  test.product.api('POST', '/users/set-password', {
    ...{ email_or_phone: login, password: 'another password' },
  });

describe('SMS pumping', () => {
  it('by signup, code and deletion texts a number at most five times a day', async () => {
    const { product } = test;
    const phone = '+13125560101';
    for (let round = 0; round < 6; round += 1) {
      const person = aPerson(phone);
      const signup = await product.api<{ id: string }>('POST', '/subscriptions', person);
      expect(signup.status).toBeLessThan(300);
      await requestCode(phone);
      const token = await product.login(person.email, person.password);
      const deleted = await product.api(
        'POST',
        '/users/me/delete',
        { password: person.password },
        token,
      );
      expect(deleted.status).toBeLessThan(300);
    }
    await product.settle();
    const texts = await product.texts(phone);
    expect(texts.length).toBeLessThanOrEqual(5);
    const minutes = texts.map(({ accepted_at }) => Math.floor(Date.parse(accepted_at) / 60_000));
    expect(new Set(minutes).size).toBe(minutes.length);
  });

  it.each([
    ['a personal number', '+447012345678', 'INVALID_PHONE'],
    ['a toll-free number', '+18005550123', 'INVALID_PHONE'],
    ['a premium-rate number', '+19005550123', 'INVALID_PHONE'],
    ['a satellite phone', '+881612345678', 'INVALID_PHONE'],
    ['a country that shares +1', '+18765550123', 'COUNTRY_NOT_SERVED'],
    ['a country not served', '+2348012345678', 'COUNTRY_NOT_SERVED'],
  ])('to %s ends at the signup', async (_what, phone, code) => {
    const { product } = test;
    const response = await product.api('POST', '/subscriptions', aPerson(phone));
    expect(response).toMatchObject({ status: 400, body: { code } });
    expect(await product.texts(phone)).toEqual([]);
  });

  it('by sixty signups of a botnet stays within the cap of its prefix, and subscribers still get texts', async () => {
    const { product } = test;
    const numberOf = (index: number) => `+1415557${String(index).padStart(4, '0')}`;
    for (let from = 0; from < 60; from += 20) {
      await Promise.all(
        Array.from({ length: 20 }, async (_unused, offset) => {
          const phone = numberOf(from + offset);
          await product.api('POST', '/subscriptions', aPerson(phone));
          await requestCode(phone);
        }),
      );
    }
    await product.settle();
    const texts = (await product.texts()).filter(({ to }) => to.startsWith('+1415557'));
    expect(texts.length).toBeLessThanOrEqual(20);
    const honest = await aSubscriber('+14155579999');
    expect((await product.texts(honest.phone))[0]?.text).toContain('Welcome');
  });
});

describe("A second account with a subscriber's number", () => {
  it('gets no text, and no YES of theirs', async () => {
    const { product } = test;
    const phone = '+13125560171';
    await aSubscriber(phone);
    const claim = aPerson(phone, { sms_consent: false });
    await product.pay(await product.openCheckout(await product.signUp(claim)));
    await product.settle();
    const texts = async () => (await product.texts(phone)).map(({ text }) => text);
    expect(await texts()).toEqual([expect.stringContaining('Welcome')]);
    await product.reply(phone, 'YES');
    await eventually(async () => (await texts()).length > 1, { what: 'the answer' });
    expect((await texts()).at(-1)).toContain("YES can't confirm this number");
    const token = await product.login(claim.email, claim.password);
    const shown = await product.api('GET', '/users/me', undefined, token);
    expect(shown.body).toMatchObject({ phone_proven: false, consent: 'pending' });
    const before = (await texts()).length;
    expect(await product.api('POST', '/users/me/consent-request', undefined, token)).toMatchObject({
      status: 202,
    });
    await product.settle();
    expect(await texts()).toHaveLength(before);
  });
});

describe('STOP', () => {
  const stopped = new Map<string, number>();

  it.each([
    'STOP. I am reporting you',
    'STOP\nSent from my iPhone',
    'STOP 888',
    'I did not sign up for this, please stop',
    'reply stop',
    'stop sending me this crap',
    'STOPP',
    'ARRET',
  ])('as %j is confirmed once', async (words) => {
    const { product } = test;
    const phone = `+1312557${1_000 + stopped.size}`;
    await aSubscriber(phone);
    await product.reply(phone, words);
    const texts = await eventually(async () => {
      const all = await product.texts(phone);
      return all.some(({ text }) => text.includes('unsubscribed')) ? all : null;
    });
    stopped.set(phone, texts.length);
  });

  it('ends all texts, and with START within milliseconds leaves everyone subscribed', async () => {
    const { product } = test;
    const back = Array.from({ length: 6 }, (_unused, index) => `+1312558${1_000 + index}`);
    for (const phone of back) await aSubscriber(phone);
    await Promise.all(
      back.map(async (phone) => {
        await product.reply(phone, 'STOP');
        await product.reply(phone, 'START');
      }),
    );
    await product.settle();
    // The welcome may be today's text, so the first daily one comes by tomorrow's hour.
    await product.advance(49, 12);
    for (const phone of back) expect((await product.texts(phone)).length, phone).toBeGreaterThan(1);
    for (const [phone, count] of stopped)
      expect(await product.texts(phone), phone).toHaveLength(count);
  });

  it('reported late by the provider, for a call started before a START, overrides no START', async () => {
    const { product, stack } = test;
    const phone = '+13125590101';
    const person = await aSubscriber(phone);
    const token = await product.login(person.email, person.password);
    await product.settle();
    await product.faults({
      recipients: { [phone]: { code: '40300', times: 1 } },
      latency_ms: { telnyx: 5_000, stripe: 0 },
    });
    await product.reply(phone, 'HELP');
    const stateOfReply = async () => {
      const statement = `select state from sms_gateway.texts where kind = 'help' and reply_to = $1`;
      return (await queryDatabase<{ state: string }>(stack, statement, [phone]))[0]?.state;
    };
    await eventually(async () => (await stateOfReply()) === 'inflight', {
      what: 'the call to the provider',
    });
    await product.reply(phone, 'START');
    expect(await stateOfReply()).toBe('inflight');
    await product.faults({ latency_ms: { telnyx: 0, stripe: 0 } });
    await eventually(async () => (await stateOfReply()) === 'skipped', {
      within: 20_000,
      what: 'the refusal by the provider',
    });
    await product.settle();
    const { body } = await product.api('GET', '/users/me', undefined, token);
    expect(body).toMatchObject({ opted_out: false });
  });
});
