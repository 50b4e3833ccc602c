import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSubscriber, aUser, codeOf, provenPhone, setUser } from '../../test/factories.ts';
import { asAdmin, asUser, createHarness, type Harness, testStart } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const request = (id: string) =>
  harness.call({ method: 'POST', url: '/users/me/consent-request', as: asUser(id) });
const requestEvents = async (id: string) =>
  (await publishedEvents(harness.deps.db, 'accounts.consent.asked')).filter(
    (event) => (event.data as { user_id: string }).user_id === id,
  );

describe('POST /users/me/consent-request', () => {
  it('sends the question again until there is a reply, at most three times a day', async () => {
    const { id } = await aSubscriber(harness, { sms_consent: false });
    const response = await request(id);
    expect(response.statusCode).toBe(202);
    expect(response.json()).toEqual({
      detail: 'Please reply YES to our text to get your texts.',
    });
    expect((await requestEvents(id)).map((event) => event.data)).toEqual([
      {
        ...{ request_id: expect.any(String), user_id: id, recipient_version: expect.any(Number) },
        asked_at: '2027-03-06T15:00:00.000Z',
      },
    ]);
    const more = await Promise.all(Array.from({ length: 9 }, () => request(id)));
    expect(more.map((one) => one.statusCode).sort()).toEqual([202, 202, ...Array(7).fill(429)]);
    expect(await requestEvents(id)).toHaveLength(3);
    harness.clock.advance({ hours: 25 });
    expect((await request(id)).statusCode).toBe(202);
    harness.clock.set(testStart);
  });

  it("isn't possible after consent or STOP", async () => {
    const granted = await aSubscriber(harness);
    const rejected = await request(granted.id);
    expect([rejected.statusCode, codeOf(rejected)]).toEqual([409, 'CONSENT_GRANTED']);
    const stopped = await aSubscriber(harness, { sms_consent: false });
    await setUser(harness, stopped.id, { opted_out: true });
    const response = await request(stopped.id);
    expect([response.statusCode, codeOf(response)]).toEqual([409, 'OPTED_OUT']);
    expect([...(await requestEvents(granted.id)), ...(await requestEvents(stopped.id))]).toEqual(
      [],
    );
  });

  it('fails with an explanation if there is no number', async () => {
    const { id } = await aSubscriber(harness, { sms_consent: false });
    await setUser(harness, id, { phone: null });
    for (const url of ['/users/me/consent-request', '/users/me/confirm-phone']) {
      const response = await harness.call({ method: 'POST', url, as: asUser(id), body: {} });
      expect([url, response.statusCode, codeOf(response)]).toEqual([url, 409, 'NO_PHONE']);
    }
    expect(await requestEvents(id)).toEqual([]);
  });

  it("doesn't say whether another account has the number, and always offers a code", async () => {
    const holder = await aSubscriber(harness);
    await setUser(harness, holder.id, { entitled: true, ...provenPhone() });
    const unproven = await aSubscriber(harness);
    const claim = { phone: unproven.phone, sms_consent: false };
    const replies = [];
    for (const [form, pending_phone] of [
      [{}, holder.phone],
      [{}, unproven.phone],
      [{}, '+14155550123'],
      [claim, null],
      [{ sms_consent: false }, null],
    ] as const) {
      const { id } = await aSubscriber(harness, form);
      await setUser(harness, id, { pending_phone });
      const me = (await harness.call({ url: '/users/me', as: asUser(id) })).json<object>();
      const asked = await request(id);
      const url = '/users/me/confirm-phone';
      const code = await harness.call({ method: 'POST', url, as: asUser(id), body: {} });
      replies.push([Object.keys(me), asked.statusCode, asked.json(), code.statusCode]);
      expect(await requestEvents(id)).toHaveLength(1);
    }
    expect(replies.map((reply) => reply.slice(1))).toEqual(
      replies.map(() => [202, { detail: expect.stringContaining('reply YES') }, 202]),
    );
    expect(new Set(replies.map(([fields]) => String(fields))).size).toBe(1);
  });

  it('sends nothing before the checkout', async () => {
    const { id } = await aUser(harness, { sms_consent: false });
    const response = await request(id);
    expect([response.statusCode, codeOf(response)]).toEqual([409, 'NOT_SUBSCRIBED']);
    expect(await requestEvents(id)).toEqual([]);
  });

  it.each(['expired', 'canceled'] as const)(
    'says that nothing comes while the plan is %s, as does the request for a code',
    async (subscription_status) => {
      const { id } = await aSubscriber(harness, { sms_consent: false });
      await setUser(harness, id, { subscription_status, entitled: false });
      for (const url of ['/users/me/consent-request', '/users/me/confirm-phone']) {
        const response = await harness.call({ method: 'POST', url, as: asUser(id), body: {} });
        expect([url, response.statusCode, codeOf(response)]).toEqual([
          url,
          409,
          'SUBSCRIPTION_ENDED',
        ]);
        expect(response.json()).toMatchObject({ detail: expect.stringContaining('has ended') });
      }
      expect(await requestEvents(id)).toEqual([]);
      await setUser(harness, id, { entitled: true });
      expect((await request(id)).statusCode).toBeLessThan(300);
    },
  );

  it('is for that subscriber only', async () => {
    const { id } = await aSubscriber(harness, { sms_consent: false });
    const url = '/users/me/consent-request';
    expect((await harness.call({ method: 'POST', url })).statusCode).toBe(401);
    expect((await harness.call({ method: 'POST', url, as: asAdmin() })).statusCode).toBe(403);
    expect((await harness.call({ method: 'POST', url, as: asUser(id, 1) })).statusCode).toBe(401);
  });
});
