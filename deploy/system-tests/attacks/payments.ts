import { randomUUID } from 'node:crypto';
import { eventually } from '@daylift/testing/eventually';
import { describe, expect, test } from 'vitest';
import { aPerson, get, password, post, target } from './target.ts';

describe('Redirects after a payment', () => {
  const own = () => new URL(target().product.urls.gateway);
  const foreignUrls = () => [
    `${own().origin}.evil.example`,
    'https://good.com.evil.io',
    '//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    `${own().origin}@evil.example`,
    `http://user:word@${own().host}`,
    `https://${own().host}`,
    `http://${own().hostname}:${Number(own().port) + 1}`,
    `http://${own().hostname}`,
    `${own().origin}/path`,
    `${own().origin}//`,
    `${own().origin}?x=1`,
    `${own().origin}#x`,
    `${own().origin}\\.evil.example`,
    `${own().origin}\n`,
    ` ${own().origin}`,
    own().origin.toUpperCase(),
    'http://[::1]',
    'null',
    '*',
  ];

  test('accept only our exact origins, at checkout and portal', async () => {
    const visitor = await aPerson();
    const payer = await aPerson();
    await target().product.pay(await target().product.openCheckout(payer.id));
    const token = await target().product.login(payer.email, password);
    await eventually(
      async () => (await get('/users/me/subscription', token)).body.status === 'trial',
      { within: 30_000 },
    );
    const pay = { subscription_id: visitor.id, plan: 'monthly' };
    for (const origin_url of foreignUrls()) {
      const responses = [
        await post('/payments/create-checkout', { ...pay, origin_url }),
        await post('/users/me/plan/portal', { origin_url }, token),
      ];
      expect(
        responses.map((one) => one.status),
        origin_url,
      ).toEqual([400, 400]);
    }
    const opened = [
      await post<{ url: string }>('/payments/create-checkout', {
        ...pay,
        origin_url: own().origin,
      }),
      await post<{ url: string }>('/users/me/plan/portal', { origin_url: own().origin }, token),
    ];
    for (const { status, body } of opened) {
      expect(status).toBe(200);
      expect(new URL(body.url).port).toBe(new URL(target().product.urls.sandbox).port);
    }
  });
});

describe("Other people's payments", () => {
  test('return 404 for every foreign id, whatever it looks like', async () => {
    await target().product.openCheckout((await aPerson()).id);
    for (const session of [
      'x',
      'cs_test_1',
      `cs_test_${'a'.repeat(58)}`,
      `cs_live_${'a'.repeat(58)}`,
      '%2e%2e',
    ])
      expect((await get(`/payments/status/${session}`)).status, session).toBe(404);
  });

  test("reveal nothing about the payer, and can't be started for unknown signups or again for members", async () => {
    const [payer, other] = [await aPerson(), await aPerson()];
    const session = await target().product.openCheckout(payer.id);
    expect(Object.keys((await get(`/payments/status/${session}`)).body)).toEqual([
      'payment_status',
      'open',
    ]);
    const token = await target().product.login(other.email, password);
    const pay = { plan: 'monthly', origin_url: target().product.urls.gateway };
    const unknown = { ...pay, subscription_id: randomUUID() };
    expect((await post('/payments/create-checkout', unknown, token)).status).toBe(404);
    await target().product.pay(session);
    await eventually(
      async () => (await get(`/payments/status/${session}`)).body.payment_status === 'paid',
      { within: 30_000 },
    );
    const second = await post(
      '/payments/create-checkout',
      { ...pay, subscription_id: payer.id },
      token,
    );
    expect(second.status).toBe(409);
    expect((await get('/users/me/subscription', token)).body).toMatchObject({
      status: 'pending',
    });
    expect((await get<unknown[]>('/users/me/invoices', token)).body).toEqual([]);
  });

  test('are closed after a day, except to the person who signed up', async () => {
    const [owner, other] = [await aPerson(), await aPerson()];
    for (const { email } of [owner, other]) await target().product.confirmEmail(email);
    const otherToken = await target().product.login(other.email, password);
    await target().product.advance(25, 12);
    const pay = {
      subscription_id: owner.id,
      plan: 'monthly',
      origin_url: target().product.urls.gateway,
    };
    for (const token of [undefined, otherToken])
      expect([403, 404, 409]).toContain(
        (await post('/payments/create-checkout', pay, token)).status,
      );
    const ownerToken = await target().product.login(owner.email, password);
    expect((await post('/payments/create-checkout', pay, ownerToken)).status).toBe(200);
  });
});
