import type { Customer, InvoiceLine } from '../state/objects.ts';

/** Tax in percent by country and region, enough to tell places with, without and with another tax apart. */
const rates: Record<string, number> = {
  'US-CA': 7.25,
  'US-NY': 8.875,
  'US-OR': 0,
  'US-TX': 6.25,
  CA: 5,
  DE: 19,
  GB: 20,
};

/** Places that the checkout page offers. */
export const taxedPlaces = Object.keys(rates);

type Address = NonNullable<Customer['address']>;

/** Returns the rate in percent at an address, or null if its location isn't known. */
export function taxRate(address: Customer['address'] | undefined): number | null {
  if (!address?.country) return null;
  return rates[`${address.country}-${address.state}`] ?? rates[address.country] ?? 0;
}

/** Returns the address of a place such as `US-CA`. */
export function addressOf(place: string): Address {
  const [country = '', state = null] = place.split('-');
  return { country, state, city: null, line1: null, line2: null, postal_code: null };
}

export const taxOn = (amount: number, rate: number | null): number =>
  Math.round((amount * (rate ?? 0)) / 100);

/** Returns the lines with their tax, added to the price, if they are taxed automatically. */
export function taxedLines(
  lines: InvoiceLine[],
  isTaxed: boolean,
  { address }: Customer,
): InvoiceLine[] {
  const rate = isTaxed ? taxRate(address) : null;
  if (rate === null) return lines;
  return lines.map((line) => {
    const off = (line.discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
    const taxable_amount = line.amount - off;
    return {
      ...line,
      taxes: [
        {
          amount: taxOn(taxable_amount, rate),
          tax_behavior: 'exclusive',
          tax_rate_details: { tax_rate: 'txr_sandbox' },
          taxability_reason: rate === 0 ? 'zero_rated' : 'standard_rated',
          taxable_amount,
          type: 'tax_rate_details',
        },
      ],
    };
  });
}

export const sumOfTaxes = (lines: InvoiceLine[]): number =>
  lines.flatMap(({ taxes }) => taxes ?? []).reduce((sum, { amount }) => sum + amount, 0);
