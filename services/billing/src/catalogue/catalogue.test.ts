import { expect, it } from 'vitest';
import { catalogues, publicCatalogue } from './catalogue.ts';

const product = { name: 'Daylift', supportEmail: 'support@daylift.test' };

it('returns the standard prices, trial and saving', () => {
  const { plans, trial_days } = publicCatalogue(catalogues.standard, product);
  expect(trial_days).toBe(3);
  expect(plans.map((plan) => [plan.id, plan.price_cents, plan.saving_percent])).toEqual([
    ['monthly', 499, 0],
    ['yearly', 4999, 17],
  ]);
});

it('returns the prices of the terms page only when configured', () => {
  const { plans, trial_days } = publicCatalogue(catalogues.terms, product);
  expect(trial_days).toBe(7);
  expect(plans.map((plan) => plan.price_cents)).toEqual([199, 1999]);
});
