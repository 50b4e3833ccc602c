import type { LogLevel } from '@daylift/server/logger';
import type { SmsConfig } from './config.ts';
import type { NumberHash } from './inbound/number-hash.ts';
import type { SmsProvider } from './provider/provider.ts';
import type { SpendDeps } from './spend/spend-caps.ts';
import type { SenderDeps } from './texts/send-text.ts';
import type { OwnTextWords } from './welcome/words.ts';

/** What both processes are built from. */
export interface SmsDeps extends SenderDeps, SpendDeps {
  provider: SmsProvider;
  numberHash: NumberHash;
  words: OwnTextWords;
  /** Of a number that an operator typed. */
  readPhone(input: string): Promise<string>;
  /** Of the operators' pages, for links in mails. */
  adminUrl: string;
  settings: Pick<
    SmsConfig,
    | 'SMS_PRICE_PER_PART'
    | 'SMS_RATE_PER_SECOND'
    | 'SMS_BATCH_SIZE'
    | 'SMS_FROM'
    | 'SANDBOX_URL'
    | 'IDENTITY_PUBLIC_KEYS'
  > & { LOG_LEVEL: LogLevel };
}
