import type { LostDaySettings, PlanView } from '@daylift/contracts/billing.http';
import { expect, inject, test } from 'vitest';
import { expectNoBarriers, expectNoSidewaysScroll, phone, see, usePages } from './harness.ts';

const pages = usePages();
const { product } = pages;

test('days that the carrier lost are credited on the next invoice, and the plan says so', async () => {
  // The sandbox accepts texts to this number and reports that the carrier didn't deliver them.
  const person = await pages.subscriber({ phone: '+14153040008' });
  const start = await product.now();
  await product.api('POST', '/users/me/plan/upgrade', { plan: 'monthly' }, person.token);
  await product.settle();
  await product.advance(24 * 6, 24);
  const { body: plan } = await product.api<PlanView>(
    'GET',
    '/users/me/plan',
    undefined,
    await product.login(person.email, person.password),
  );
  const { days = 0, credit_cents = 0 } = plan.lost_days ?? {};
  expect(days).toBeGreaterThan(0);
  const [from, until] = [start.toISOString(), plan.current_period_end ?? ''].map((instant) =>
    Date.parse(instant.slice(0, 10)),
  );
  const periodDays = (until! - from!) / 86_400_000;
  expect(credit_cents).toBe(days * Math.ceil(499 / periodDays));
  const token = await product.login(person.email, person.password);
  const page = await pages.open('/dashboard?tab=plan', { as: { token }, viewport: phone });
  const lost = days === 1 ? "1 text didn't reach you" : `${days} texts didn't reach you`;
  await see(page, `${lost}: $${(credit_cents / 100).toFixed(2)} credit on your next invoice.`);
  await expectNoSidewaysScroll(page);
  await expectNoBarriers(page);
  const owner = await product.adminLogin(inject('admin'));
  const { body } = await product.api<LostDaySettings>(
    'GET',
    '/admin/settings/lost-days',
    undefined,
    owner,
  );
  expect(body.this_month.days).toBeGreaterThanOrEqual(1);
});
