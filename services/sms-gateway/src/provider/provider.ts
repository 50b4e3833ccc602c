import type { SendOutcome } from './outcome.ts';
import type { ProviderMessage } from './provider-message.ts';

export interface OutgoingText {
  /** Ours: in the receipts' address, and the idempotency key in case the provider honours one. */
  id: string;
  to: string;
  body: string;
}

export interface SmsProvider {
  /** Whatever takes time before a call; awaited before a text is claimed, so that nothing comes between decision and call. */
  prepare(): Promise<void>;
  /** One call, never repeated by the client. Never throws: whatever happens is an outcome. */
  send(text: OutgoingText): Promise<SendOutcome>;
  /** Whether it answers a question about nothing, which changes nothing there. */
  isAtWork(): Promise<boolean>;
  /** Null when the provider does not know it (any more). */
  lookUp(providerId: string): Promise<ProviderMessage | null>;
  /** The provider's record of a text whose answer never came, found by number, time and our id. */
  findRecord(query: { id: string; to: string; from: Date; until: Date }): Promise<string | null>;
  /** Throws unless the provider signed exactly these bytes within 300 s of the wall clock. */
  verify(rawBody: string, headers: Record<string, unknown>): Promise<unknown>;
}

export interface TelnyxOptions {
  apiKey: string;
  publicKey: string;
  baseUrl: string;
  from: string;
  /** Without a slash at its end. */
  receiptsUrl: string;
  timeoutMs: number;
}
