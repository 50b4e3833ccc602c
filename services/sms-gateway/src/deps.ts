import type { SmsConfig } from './config.ts';
import type { NumberHash } from './opt-outs/number-hash.ts';
import type { SmsProvider } from './provider/provider.ts';
import type { VerifyWebhook } from './provider/verify-webhook.ts';
import type { SpendDeps } from './spend/spend-caps.ts';
import type { SenderDeps } from './texts/send-texts.ts';
import type { TransactionalWords } from './welcome/words.ts';

/** What the API and the worker are built from. */
export interface SmsDeps extends SenderDeps, SpendDeps {
  provider: SmsProvider;
  verifyWebhook: VerifyWebhook;
  numberHash: NumberHash;
  /** Whether the provider sends a text with a repeated idempotency key only once. */
  isIdempotent: boolean;
  words: TransactionalWords;
  /** Parses a number that an operator typed. */
  readPhone(input: string): Promise<string>;
  /** Origin of the admin app, for links in emails. */
  adminUrl: string;
  /** Time zone of the times in emails to operators. */
  operatorTimezone: string;
  settings: Pick<
    SmsConfig,
    | 'SMS_PRICE_PER_PART'
    | 'TELNYX_LOOKUP_PRICE'
    | 'SMS_RATE_PER_SECOND'
    | 'SMS_BATCH_SIZE'
    | 'SMS_CANARY_ABOVE'
    | 'SMS_FROM'
    | 'SANDBOX_URL'
  >;
}
