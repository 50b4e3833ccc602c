import { defaultCurrency } from '@daylift/contracts/plans';
import type { ServiceContext } from '@daylift/events/run-service';
import { createInternalClient } from '@daylift/server/internal-client';
import { cataloguesOf } from './catalogue/catalogue.ts';
import { createPrices } from './catalogue/prices.ts';
import type { BillingConfig } from './config.ts';
import { soldCurrencies } from './customers/currency.ts';
import type { BillingDatabase } from './database.ts';
import type { BillingDeps } from './deps.ts';
import { createGiftCodes } from './gifts/gift-codes.ts';
import { createCancelLinks } from './plans/cancel-link.ts';
import { createStripe } from './stripe-client.ts';

export function createDeps(
  config: BillingConfig,
  { db, clock, log, wake }: Pick<ServiceContext<BillingDatabase>, 'db' | 'clock' | 'log' | 'wake'>,
): BillingDeps {
  const stripe = createStripe({ apiKey: config.STRIPE_API_KEY, sandboxUrl: config.SANDBOX_URL });
  const catalogues = cataloguesOf(config.PLAN_CATALOGUE, config.prices);
  const { countryCurrencies } = config;
  return {
    db,
    clock,
    log,
    wake,
    stripe,
    catalogue: catalogues[defaultCurrency],
    catalogues,
    countryCurrencies,
    webhookSecret: config.STRIPE_WEBHOOK_SECRET,
    prices: createPrices({
      stripe,
      catalogues,
      sold: soldCurrencies({ countryCurrencies }),
      productName: config.PRODUCT_NAME,
      log,
    }),
    cancelLinks: createCancelLinks(config.IDENTITY_PRIVATE_KEY),
    giftCodes: createGiftCodes(config.IDENTITY_PRIVATE_KEY),
    accounts: createInternalClient({
      key: { issuer: 'billing', privateKey: config.IDENTITY_PRIVATE_KEY },
      to: 'accounts',
      baseUrl: config.ACCOUNTS_URL,
    }),
    product: {
      name: config.PRODUCT_NAME,
      supportEmail: config.SUPPORT_EMAIL,
      companyName: config.COMPANY_NAME,
      termsEffectiveDate: config.TERMS_EFFECTIVE_DATE,
      refundPolicy: config.REFUND_POLICY,
      countries: config.ALLOWED_COUNTRIES.split(','),
      publicUrl: config.PUBLIC_URL.replace(/\/$/, ''),
    },
    allowedOrigins: config.allowedOrigins,
    operatorTimeZone: config.OPERATOR_TIMEZONE,
    addsTax: config.STRIPE_TAX === 'on',
    stopEndsRenewal: config.STOP_ENDS_RENEWAL === 'on',
    operatorLimits: { cents: config.OPERATOR_MAX_CENTS, days: config.OPERATOR_MAX_FREE_DAYS },
    providerPages: providerPagesOf(config),
    refundEndsAccess: config.REFUND_ENDS_ACCESS === 'on',
  };
}

/** The sandbox has no pages for its customers. */
function providerPagesOf({ SANDBOX_URL, STRIPE_API_KEY }: BillingConfig): string | null {
  if (SANDBOX_URL !== undefined) return null;
  const live = 'https://dashboard.stripe.com';
  return STRIPE_API_KEY.includes('_test_') ? `${live}/test` : live;
}
