import { expect, it } from 'vitest';
import { catalogues, publicCatalogue } from './catalogue.ts';

const product = {
  name: 'Daylift',
  supportEmail: 'support@daylift.test',
  companyName: 'Daylift Texts LLC',
  termsEffectiveDate: '2026-11-01',
  refundPolicy: 'Write to us.',
  countries: ['US', 'GB'],
};

it('returns the standard prices, trial and saving', () => {
  const { plans, trial_days } = publicCatalogue(catalogues.standard, product, 31);
  expect(trial_days).toBe(3);
  expect(plans.map((plan) => [plan.id, plan.price_cents, plan.saving_percent])).toEqual([
    ['monthly', 499, 0],
    ['yearly', 4999, 17],
  ]);
});

it('returns the prices of the terms page only when configured', () => {
  const { plans, trial_days } = publicCatalogue(catalogues.terms, product, 31);
  expect(trial_days).toBe(7);
  expect(plans.map((plan) => plan.price_cents)).toEqual([199, 1999]);
});

it('lists the calling codes of the countries that can sign up', () => {
  expect(publicCatalogue(catalogues.standard, product, 31).countries).toEqual([
    { country: 'US', calling_code: '1' },
    { country: 'GB', calling_code: '44' },
  ]);
});
