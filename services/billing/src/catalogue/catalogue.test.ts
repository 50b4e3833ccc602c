import { expect, it } from 'vitest';
import { catalogueOf, parsePrices, publicCatalogue } from './catalogue.ts';

const product = {
  name: 'Daylift',
  supportEmail: 'support@daylift.test',
  companyName: 'Daylift Texts LLC',
  termsEffectiveDate: '2026-11-01',
  refundPolicy: 'Write to us.',
  countries: ['US', 'GB'],
};

it('returns the standard prices, trial and saving', () => {
  const { plans, trial_days } = publicCatalogue(catalogueOf('standard'), product, 31);
  expect(trial_days).toBe(3);
  expect(plans.map((plan) => [plan.id, plan.price_cents, plan.saving_percent])).toEqual([
    ['monthly', 499, 0],
    ['yearly', 4999, 17],
  ]);
});

it('returns the prices of the terms page only when configured', () => {
  const { plans, trial_days } = publicCatalogue(catalogueOf('terms'), product, 31);
  expect(trial_days).toBe(7);
  expect(plans.map((plan) => plan.price_cents)).toEqual([199, 1999]);
});

it('lists the calling codes of the countries that can sign up', () => {
  expect(publicCatalogue(catalogueOf('standard'), product, 31).countries).toEqual([
    { country: 'US', calling_code: '1' },
    { country: 'GB', calling_code: '44' },
  ]);
});

it('replaces the price of a plan by configuration, and the saving with it', () => {
  const catalogue = catalogueOf('standard', parsePrices('monthly:599'));
  const { plans } = publicCatalogue(catalogue, product, 31);
  expect(plans.map((plan) => [plan.price_cents, plan.saving_percent])).toEqual([
    [599, 0],
    [4999, 30],
  ]);
});

it('returns no saving if twelve months cost less than a year', () => {
  const { plans } = publicCatalogue(
    catalogueOf('standard', parsePrices('monthly:299')),
    product,
    31,
  );
  expect(plans.map((plan) => plan.saving_percent)).toEqual([0, 0]);
});

it.each([
  ...['monthly', 'monthly:5.99', 'weekly:599', 'monthly:49', 'monthly:-599', 'monthly:599;'],
  'monthly:599,monthly:699',
])("doesn't start with the prices %s", (prices) =>
  expect(() => parsePrices(prices)).toThrow('PLAN_PRICES must list'),
);
