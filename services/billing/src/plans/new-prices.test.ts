import { randomUUID } from 'node:crypto';
import type { PlanPreview, PlanView } from '@daylift/contracts/billing.http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';
import { customerOf, type Person } from '../../test/lost-days.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());

async function call<T>({ user_id }: Person, path = '', payload?: object): Promise<T> {
  const response = await test.app.inject({
    method: payload ? 'POST' : 'GET',
    url: `/users/me/plan${path}`,
    headers: test.asUser(user_id),
    ...(payload && { payload }),
  });
  return response.json();
}
async function chargesOf(person: Person): Promise<number[]> {
  const customer = await customerOf(test, person);
  const { data } = await test.deps.stripe.charges.list({ customer });
  return data.map(({ amount }) => amount);
}

it('new prices apply to new customers and to switches; running plans and trials keep theirs', async () => {
  const earlier = await test.subscribe();
  await test.advance(76);
  const trying = await test.subscribe();
  const paying = await test.signUp();
  const { body: checkout } = await test.checkOut(paying);
  const { plans } = test.deps.catalogue;
  plans.monthly.price_cents = 599;
  plans.yearly.price_cents = 5999;
  test.deps.prices.forget();
  const newcomer = await test.subscribe();
  await test.pay(checkout.session_id);
  await test.settle();

  expect(await call<PlanView>(earlier)).toMatchObject({
    price_cents: 499,
    next_charge: { amount_cents: 499 },
  });
  expect(await call<PlanView>(trying)).toMatchObject({ price_cents: 499 });
  // Its checkout page already showed a price.
  expect(await call<PlanView>(paying)).toMatchObject({ price_cents: 499 });
  expect(await call<PlanView>(newcomer)).toMatchObject({
    price_cents: 599,
    next_charge: { amount_cents: 599 },
  });
  const upgrade = '/preview?action=upgrade&plan=';
  expect(await call<PlanPreview>(trying, `${upgrade}monthly`)).toMatchObject({
    charge_now_cents: 499,
  });
  expect(await call<PlanPreview>(trying, `${upgrade}yearly`)).toMatchObject({
    charge_now_cents: 5999,
  });

  await call(trying, '/upgrade', { plan: 'monthly', charge_now_cents: 499 });
  await test.advance(24 * 32);
  expect(await chargesOf(earlier)).toEqual([499, 499]);
  expect(await chargesOf(trying)).toEqual([499, 499]);
  expect(await chargesOf(newcomer)).toEqual([599]);
});

it('an announced price counts a promotion code only if it still applies at the first renewal', async () => {
  const owner = test.as({
    ...{ kind: 'admin', admin_id: randomUUID(), username: 'olive' },
    ...{ role: 'owner', session_version: 0 },
  });
  const post = (url: string, more: object) => {
    const payload = { request_key: randomUUID(), ...more };
    return test.app.inject({ method: 'POST', url, headers: owner, payload });
  };
  const buyWith = async (code: string, months: number) => {
    await post('/admin/promotions', {
      ...{ code, kind: 'percent', value: 50, months, plan: null },
      ...{ max_uses: null, first_time_only: false, expires_on: null },
    });
    const person = await test.signUp();
    await test.prove(person);
    await test.pay((await test.checkOut(person, { promotion_code: code })).body.session_id);
    return person;
  };
  const short = await buyWith('SHORT', 2);
  const long = await buyWith('LONG', 12);
  await test.advance(80);
  test.deps.catalogue.plans.monthly.price_cents = 699;
  test.deps.prices.forget();
  await post('/admin/price-moves', {
    ...{ plan: 'monthly', from_cents: 599, to_cents: 699, reason: 'Texts cost more' },
  });
  await test.settle();
  const announced = async ({ email }: { email: string }) =>
    (await test.mails(email)).find(({ subject }) => subject.startsWith('Your price changes'))?.text;
  expect(await announced(short)).toContain('to $6.99 a month');
  expect(await announced(short)).not.toContain('discount');
  expect(await announced(long)).toContain("Your promotion code's discount still applies.");
  const offerOf = async (person: Person) => (await call<PlanView>(person)).offer?.price;
  expect(await offerOf(long)).toBe('$2.99 a month for 12 months, then $5.99 a month');

  // The last period at the old price starts.
  await test.advance(24 * 31);
  expect((await call<PlanView>(short)).next_charge).toMatchObject({ amount_cents: 699 });
  expect((await call<PlanView>(long)).next_charge).toMatchObject({ amount_cents: 349 });
  expect(await offerOf(long)).toBe('$3.49 a month for 12 months, then $6.99 a month');
});
