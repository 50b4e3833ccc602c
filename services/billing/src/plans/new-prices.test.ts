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
  const answer = await test.app.inject({
    method: payload ? 'POST' : 'GET',
    url: `/users/me/plan${path}`,
    headers: test.asUser(user_id),
    ...(payload && { payload }),
  });
  return answer.json();
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
