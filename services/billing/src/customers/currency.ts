import { type Currency, currencies, defaultCurrency } from '@daylift/contracts/plans';
import type { Db, Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { findOtherCurrencies, storeCurrency } from './currency.repository.ts';
import { type Customer, findAnyCustomer } from './customers.repository.ts';

type Catalogue = BillingDeps['catalogues'][Currency];
type Payer = Pick<Customer, 'currency' | 'country' | 'stripe_customer_id'>;
type Deps = Pick<BillingDeps, 'catalogues' | 'countryCurrencies'>;

/** Returns a subscriber's currency: the stored one or, before the first checkout, that of their country. */
function currencyOf({ countryCurrencies }: Deps, payer: Payer): Currency {
  if (payer.currency !== null) return payer.currency;
  // The provider allows one currency per customer, and this customer already uses the default.
  if (payer.stripe_customer_id !== null) return defaultCurrency;
  return countryCurrencies.get(payer.country ?? '') ?? defaultCurrency;
}

/** Returns the catalogue in a subscriber's currency. */
export const catalogueFor = (deps: Deps, payer: Payer): Catalogue =>
  deps.catalogues[currencyOf(deps, payer)];

/** Returns the catalogue in a user's currency. */
export async function findCatalogue(db: Db, deps: Deps, userId: string): Promise<Catalogue> {
  const payer = await findAnyCustomer(db, userId);
  return payer === undefined ? deps.catalogues[defaultCurrency] : catalogueFor(deps, payer);
}

/**
 * Stores a locked customer's currency if none is stored, and returns its catalogue. Call this before storing an amount or
 * sending one to the provider.
 */
export async function ensureCurrency(trx: Trx, deps: Deps, customer: Customer): Promise<Catalogue> {
  const catalogue = catalogueFor(deps, customer);
  if (customer.currency === null) await storeCurrency(trx, customer.user_id, catalogue.currency);
  return catalogue;
}

/** Returns the currencies of new customers. */
export const soldCurrencies = ({
  countryCurrencies,
}: Pick<BillingDeps, 'countryCurrencies'>): Currency[] => {
  const others = new Set(countryCurrencies.values());
  return currencies.filter((currency) => currency === defaultCurrency || others.has(currency));
};

/** Returns the currencies of new customers and of those who pay in one that isn't sold anymore. */
export async function findUsedCurrencies(db: Db, deps: Deps): Promise<Currency[]> {
  const used = new Set([...soldCurrencies(deps), ...(await findOtherCurrencies(db))]);
  return currencies.filter((currency) => used.has(currency));
}
