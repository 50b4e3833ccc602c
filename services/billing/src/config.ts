import {
  calledConfig,
  callerConfig,
  databaseConfig,
  eventsConfig,
  loadConfig,
  operatorConfig,
  phoneConfig,
  processConfig,
} from '@daylift/server/load-config';
import { Type } from 'typebox';
import { parseCountryCurrencies, parsePrices } from './catalogue/catalogue.ts';

const Url = Type.String({ pattern: '^https?://[^ ]+$' });
const OnOff = Type.Union([Type.Literal('on'), Type.Literal('off')], { default: 'on' });

export function loadBillingConfig(environment?: NodeJS.ProcessEnv) {
  const config = loadConfig(
    {
      ...processConfig,
      ...databaseConfig,
      ...eventsConfig,
      ...calledConfig,
      ...operatorConfig,
      ...callerConfig,
      ...phoneConfig,
      STRIPE_API_KEY: Type.String({ pattern: '^(sk|rk)_(test|live)_' }),
      STRIPE_WEBHOOK_SECRET: Type.String({ pattern: '^whsec_[^ ]+$' }),
      ACCOUNTS_URL: Url,
      PUBLIC_URL: Url,
      /** Origins of our pages, comma-separated: only these may start a payment. */
      ALLOWED_ORIGINS: Type.String({ minLength: 1 }),
      PLAN_CATALOGUE: Type.Union([Type.Literal('standard'), Type.Literal('terms')], {
        default: 'standard',
      }),
      /** Prices for new customers that replace the catalogue's, in cents. */
      PLAN_PRICES: Type.String({ default: '' }),
      /** Currencies by country for new customers. */
      COUNTRY_CURRENCIES: Type.String({ default: '' }),
      PRODUCT_NAME: Type.String({ minLength: 1, maxLength: 100 }),
      SUPPORT_EMAIL: Type.String({ pattern: '@' }),
      /** The legal entity in the terms and the privacy policy. */
      COMPANY_NAME: Type.String({ minLength: 1, maxLength: 200 }),
      TERMS_EFFECTIVE_DATE: Type.String({ format: 'date' }),
      REFUND_POLICY: Type.String({ minLength: 1, maxLength: 2_000 }),
      SMTP_URL: Type.String({ pattern: '^smtps?://' }),
      MAIL_FROM: Type.String({ pattern: '@' }),
      /** Whether Stripe Tax adds tax to the subscriptions of new customers. */
      STRIPE_TAX: Type.Union([Type.Literal('on'), Type.Literal('off')], { default: 'off' }),
      /** Whether STOP by text also ends the renewal. */
      STOP_ENDS_RENEWAL: OnOff,
      /** Refunds and credit, in any currency, that operators may give one subscriber in 30 days. Owners have no limit. */
      OPERATOR_MAX_CENTS: Type.Integer({ minimum: 0, default: 5_000 }),
      /** The same for free days. */
      OPERATOR_MAX_FREE_DAYS: Type.Integer({ minimum: 0, default: 30 }),
      /** Whether a full refund also stops the texts that the payment bought. */
      REFUND_ENDS_ACCESS: Type.Union([Type.Literal('on'), Type.Literal('off')], { default: 'off' }),
    },
    environment,
  );
  return {
    ...config,
    allowedOrigins: parseOrigins(config.ALLOWED_ORIGINS),
    prices: parsePrices(config.PLAN_PRICES),
    countryCurrencies: parseCountryCurrencies(
      config.COUNTRY_CURRENCIES,
      config.ALLOWED_COUNTRIES.split(','),
    ),
  };
}
export type BillingConfig = ReturnType<typeof loadBillingConfig>;

function parseOrigins(list: string): ReadonlySet<string> {
  const origins = list.split(',').map((one) => one.trim());
  for (const origin of origins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new Error(
        'ALLOWED_ORIGINS must list origins such as https://example.com, without a path.',
      );
    }
  }
  return new Set(origins);
}
