import { expect, it } from 'vitest';
import { catalogues, publicCatalogue } from './catalogue.ts';

const product = { name: 'Daylift', supportEmail: 'support@daylift.test' };

it('prints the standard prices, trial and saving', () => {
  const { plans, trial_days } = publicCatalogue(catalogues.standard, product);
  expect(trial_days).toBe(3);
  expect(plans.map((plan) => [plan.id, plan.price_cents, plan.saving_percent])).toEqual([
    ['monthly', 499, 0],
    ['yearly', 4999, 17],
  ]);
});

it("prints the terms page's prices only where they were chosen", () => {
  const { plans, trial_days } = publicCatalogue(catalogues.terms, product);
  expect(trial_days).toBe(7);
  expect(plans.map((plan) => plan.price_cents)).toEqual([199, 1999]);
});
