import type { LogLevel } from '@daylift/server/logger';
import type { NumberHash } from './inbound/number-hash.ts';
import type { SmsProvider } from './provider/telnyx-client.ts';
import type { SenderDeps } from './texts/send-text.ts';
import type { OwnTextWords } from './welcome/words.ts';

/** What both processes are built from. */
export interface SmsDeps extends SenderDeps {
  provider: SmsProvider;
  numberHash: NumberHash;
  words: OwnTextWords;
  settings: {
    SMS_PRICE_PER_PART: string;
    SMS_RATE_PER_SECOND: number;
    INTERNAL_TOKEN_SECRET: string;
    LOG_LEVEL: LogLevel;
  };
}
