import { expect, it } from 'vitest';
import { cataloguesOf, parseCountryCurrencies, parsePrices, publicCatalogue } from './catalogue.ts';

const sale = {
  lostDaysPerMonth: 31,
  addsTax: false,
  countryCurrencies: parseCountryCurrencies('GB:gbp', ['US', 'GB']),
  product: {
    name: 'Daylift',
    supportEmail: 'support@daylift.test',
    companyName: 'Daylift Texts LLC',
    termsEffectiveDate: '2026-11-01',
    refundPolicy: 'Write to us.',
    countries: ['US', 'GB'],
  },
};

it('returns the standard prices, trial and saving', () => {
  const { plans, trial_days } = publicCatalogue(cataloguesOf('standard').usd, sale);
  expect(trial_days).toBe(3);
  expect(plans.map((plan) => [plan.id, plan.price_cents, plan.saving_percent])).toEqual([
    ['monthly', 499, 0],
    ['yearly', 4999, 17],
  ]);
});

it('returns the prices of the terms page only when configured', () => {
  const { plans, trial_days } = publicCatalogue(cataloguesOf('terms').usd, sale);
  expect(trial_days).toBe(7);
  expect(plans.map((plan) => plan.price_cents)).toEqual([199, 1999]);
});

it('lists the calling codes and currencies of the countries that can sign up', () => {
  expect(publicCatalogue(cataloguesOf('standard').usd, sale).countries).toEqual([
    { country: 'US', calling_code: '1' },
    { country: 'GB', calling_code: '44', currency: 'gbp' },
  ]);
});

it('replaces the price of a plan by configuration, and the saving with it', () => {
  const catalogues = cataloguesOf('standard', parsePrices('monthly:599,monthly:399:gbp'));
  expect(catalogues.gbp.plans.monthly.price_cents).toBe(399);
  const { plans } = publicCatalogue(catalogues.usd, sale);
  expect(plans.map((plan) => [plan.price_cents, plan.saving_percent])).toEqual([
    [599, 0],
    [4999, 30],
  ]);
});

it('returns no saving if twelve months cost less than a year', () => {
  const { plans } = publicCatalogue(cataloguesOf('standard', parsePrices('monthly:299')).usd, sale);
  expect(plans.map((plan) => plan.saving_percent)).toEqual([0, 0]);
});

it.each([
  ...['monthly', 'monthly:5.99', 'weekly:599', 'monthly:49', 'monthly:-599', 'monthly:599;'],
  ...['monthly:599,monthly:699', 'monthly:599:jpy', 'monthly:29:gbp'],
])("doesn't start with the prices %s", (prices) =>
  expect(() => parsePrices(prices)).toThrow('PLAN_PRICES must list'),
);

it.each([
  ['GB', 'one currency per country'],
  ['GB:gbp,GB:eur', 'one currency per country'],
  ['BR:gbp', "lists BR, but ALLOWED_COUNTRIES doesn't"],
  ['XX:gbp', "lists XX, but ALLOWED_COUNTRIES doesn't"],
  ['JP:jpy', 'lists jpy, but plans have prices only in usd, gbp, eur'],
])("doesn't start with the currencies %s", (list, words) =>
  expect(() => parseCountryCurrencies(list, ['US', 'GB', 'JP'])).toThrow(words),
);
