import type { SendOutcome } from './outcome.ts';
import type { ProviderMessage } from './provider-message.ts';

export interface OutgoingText {
  /** Our id: part of the receipts' URL. */
  id: string;
  /** The idempotency key, in case the provider honors one. A text that it returned unsent has a new one. */
  key: string;
  from: string;
  to: string;
  body: string;
}

/** What the provider knows about a phone number. */
export interface NumberFacts {
  /** Such as `mobile` or `fixed line`; null if it doesn't say. */
  line_type: string | null;
  carrier: string | null;
}

export interface BlockedNumber {
  phone: string;
  /** The number sent a STOP keyword, rather than being blocked for another reason. */
  by_keyword: boolean;
}

export interface SmsProvider {
  /** Does slow preparation. Awaited before a text is claimed, so nothing delays the call after the decision. */
  prepare(): Promise<void>;
  /** Makes one call without retries. Never throws: every failure is an outcome. */
  send(text: OutgoingText): Promise<SendOutcome>;
  /** Returns whether the provider responds to a harmless request. */
  isAtWork(): Promise<boolean>;
  /** Returns null if the provider doesn't know the message, or no longer. */
  lookUp(providerId: string): Promise<ProviderMessage | null>;
  /** Finds the record of a text with a lost response by number, time and our id. Excludes `except`. */
  findRecord(query: {
    id: string;
    to: string;
    from: Date;
    until: Date;
    except: string[];
  }): Promise<string | null>;
  /** Costs money. Throws if the provider doesn't respond. */
  lookUpNumber(phone: string): Promise<NumberFacts>;
  /** Returns a page, from 1, of the numbers that the provider blocks. Throws if it doesn't respond. */
  listBlocked(page: number): Promise<{ blocked: BlockedNumber[]; isLast: boolean }>;
}

export interface TelnyxOptions {
  apiKey: string;
  baseUrl: string;
  /** Without a trailing slash. */
  receiptsUrl: string;
  timeoutMs: number;
  /** Profile of the block list to read. Defaults to the account's. */
  messagingProfileId?: string | undefined;
}
