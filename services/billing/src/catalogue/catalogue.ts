import type { PublicCatalogue } from '@daylift/contracts/billing.http';
import {
  type Currency,
  currencies,
  defaultCurrency,
  defaultPlan,
  isCurrency,
  type PlanId,
  periodsOf,
  planIds,
  planTerms,
} from '@daylift/contracts/plans';
import { callingCodeOf } from '@daylift/server/calling-code';
import type { Product } from '../product.ts';
import { smallestChargeCents } from '../subscriptions/settle-bill.ts';

export interface Plan {
  id: PlanId;
  name: string;
  price_cents: number;
  months: number;
}

/** What is sold in one currency. */
export interface Catalogue {
  currency: Currency;
  trial_days: number;
  referral_credit_cents: number;
  plans: Record<PlanId, Plan>;
}

export type Catalogues = Record<Currency, Catalogue>;
/** Prices by currency that replace a catalogue's. */
type PriceOverrides = Record<Currency, Partial<Record<PlanId, number>>>;

const trialDays = { standard: 3, terms: 7 };
const referralCredits: Record<Currency, number> = { usd: 125, gbp: 110, eur: 125 };

const eachCurrency = <T>(of: (currency: Currency) => T): Record<Currency, T> =>
  Object.fromEntries(currencies.map((currency) => [currency, of(currency)])) as Record<Currency, T>;

/** Returns the catalogues. `prices` are for new customers: a running subscription keeps the price it started with. */
export function cataloguesOf(
  name: keyof typeof trialDays,
  prices: PriceOverrides = parsePrices(''),
): Catalogues {
  return eachCurrency((currency) => {
    const plans = planIds.map((id): [PlanId, Plan] => {
      const { cents, ...terms } = planTerms[id];
      return [id, { id, ...terms, price_cents: prices[currency][id] ?? cents[name][currency] }];
    });
    return {
      currency,
      trial_days: trialDays[name],
      referral_credit_cents: referralCredits[currency],
      plans: Object.fromEntries(plans) as Catalogue['plans'],
    };
  });
}

/** Reads prices in cents by plan and currency, such as `monthly:599,monthly:549:gbp`. */
export function parsePrices(list: string): PriceOverrides {
  const prices: PriceOverrides = eachCurrency(() => ({}));
  for (const one of list.split(',').filter((part) => part !== '')) {
    const [, name, cents, currency = defaultCurrency] =
      /^([a-z]+):(\d{2,7})(?::([a-z]{3}))?$/.exec(one.trim()) ?? [];
    const id = planIds.find((known) => known === name);
    const isSound = id !== undefined && isCurrency(currency) && !(id in prices[currency]);
    if (!isSound || Number(cents) < smallestChargeCents[currency])
      throw new Error(
        `PLAN_PRICES must list prices in cents, at most one per plan and currency, such as monthly:599,yearly:5999,monthly:549:gbp. Minimums: ${currencies.map((one) => `${smallestChargeCents[one]} ${one}`).join(', ')}.`,
      );
    prices[currency][id] = Number(cents);
  }
  return prices;
}

/** By the country of a number as events name it: `GB`, or `+44` if only its calling code is known. */
export type CountryCurrencies = ReadonlyMap<string, Currency>;

/** Reads the currency of countries, such as `GB:gbp,DE:eur`. */
export function parseCountryCurrencies(
  list: string,
  allowedCountries: readonly string[],
): CountryCurrencies {
  const found = new Map<string, Currency>();
  for (const one of list.split(',').filter((part) => part !== '')) {
    const [, country = '', currency = ''] = /^([A-Z]{2}):([a-z]{3})$/.exec(one.trim()) ?? [];
    if (country === '' || found.has(country))
      throw new Error(
        'COUNTRY_CURRENCIES must list one currency per country, such as GB:gbp,DE:eur.',
      );
    if (!allowedCountries.includes(country))
      throw new Error(
        `COUNTRY_CURRENCIES lists ${country}, but ALLOWED_COUNTRIES doesn't. Remove it from COUNTRY_CURRENCIES or add it to ALLOWED_COUNTRIES.`,
      );
    if (!isCurrency(currency))
      throw new Error(
        `COUNTRY_CURRENCIES lists ${currency}, but plans have prices only in ${currencies.join(', ')}.`,
      );
    found.set(country, currency);
  }
  // As on the signup page, the first country with a calling code counts if nothing else is known.
  for (const country of allowedCountries.toReversed())
    found.set(`+${callingCodeOf(country)}`, found.get(country) ?? defaultCurrency);
  return found;
}

/** Returns the prices and the trial as every page prints them. */
export function publicCatalogue(
  { plans, ...rest }: Catalogue,
  {
    product,
    lostDaysPerMonth,
    addsTax,
    countryCurrencies,
  }: {
    product: Omit<Product, 'publicUrl'>;
    lostDaysPerMonth: number;
    addsTax: boolean;
    countryCurrencies: CountryCurrencies;
  },
): PublicCatalogue {
  return {
    product_name: product.name,
    support_email: product.supportEmail,
    company_name: product.companyName,
    terms_effective_date: product.termsEffectiveDate,
    refund_policy: product.refundPolicy,
    countries: product.countries.map((country) => ({
      country,
      calling_code: callingCodeOf(country),
      ...(countryCurrencies.has(country) && { currency: countryCurrencies.get(country) }),
    })),
    currency: rest.currency,
    ...(addsTax && { plus_tax: true }),
    trial_days: rest.trial_days,
    referral_credit_cents: rest.referral_credit_cents,
    lost_days_per_month: lostDaysPerMonth,
    plans: planIds.map((id) => {
      const { months, ...plan } = plans[id];
      const paidMonthly = plans[defaultPlan].price_cents * months;
      const saving = Math.max(0, paidMonthly - plan.price_cents);
      return {
        ...plan,
        interval: periodsOf(id),
        saving_percent: Math.round((100 * saving) / paidMonthly),
      };
    }),
  };
}
