import type { Clock } from '@daylift/clock/clock';
import type { InternalClient } from '@daylift/server/internal-client';
import type { Logger } from '@daylift/server/logger';
import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { Prices } from './catalogue/prices.ts';
import type { BillingDatabase } from './database.ts';

/** The outside things that the features are given; each names the ones that it uses. */
export interface BillingDeps {
  db: Kysely<BillingDatabase>;
  clock: Clock;
  log: Logger;
  stripe: Stripe;
  webhookSecret: string;
  catalogue: Catalogue;
  prices: Prices;
  /** Asked only for signups whose event has not come yet. */
  accounts: InternalClient;
  product: Product;
  allowedOrigins: ReadonlySet<string>;
  operatorTimeZone: string;
  stopEndsRenewal: boolean;
  /** Lets a loop look at once. */
  wake(loop: string): void;
}

export interface Product {
  name: string;
  supportEmail: string;
  /** Without a slash at the end. */
  publicUrl: string;
}
