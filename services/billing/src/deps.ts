import type { Clock } from '@daylift/clock/clock';
import type { InternalClient } from '@daylift/server/internal-client';
import type { Logger } from '@daylift/server/logger';
import type Stripe from 'stripe';
import type { Catalogue, Catalogues, CountryCurrencies } from './catalogue/catalogue.ts';
import type { Prices } from './catalogue/prices.ts';
import type { Db } from './database.ts';
import type { GiftCodes } from './gifts/gift-codes.ts';
import type { CancelLinks } from './plans/cancel-link.ts';
import type { Product } from './product.ts';

export interface BillingDeps {
  db: Db;
  clock: Clock;
  log: Logger;
  stripe: Stripe;
  webhookSecret: string;
  /** In the default currency, for visitors. A subscriber's is found by `customers/currency.ts`. */
  catalogue: Catalogue;
  catalogues: Catalogues;
  countryCurrencies: CountryCurrencies;
  prices: Prices;
  cancelLinks: CancelLinks;
  giftCodes: GiftCodes;
  /** Called only for signups whose event has not arrived yet. */
  accounts: InternalClient;
  product: Product;
  allowedOrigins: ReadonlySet<string>;
  operatorTimeZone: string;
  /** Whether new subscriptions are taxed. */
  addsTax: boolean;
  stopEndsRenewal: boolean;
  /** What operators may give one subscriber within 30 days. */
  operatorLimits: { cents: number; days: number };
  /** Base URL of the provider's dashboard, or null without one. */
  providerPages: string | null;
  refundEndsAccess: boolean;
  /** Runs a loop immediately. */
  wake(loop: string): void;
}
