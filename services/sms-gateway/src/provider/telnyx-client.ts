import { hourMs } from '@daylift/clock/durations';
import Telnyx, { APIConnectionError, APIError } from 'telnyx';
import { connectionReset, isAtWork, outcomeOf, type SendFailure } from './outcome.ts';
import { createPooledFetch, KeptConnectionLost, NotConnected } from './pooled-fetch.ts';
import type { SmsProvider, TelnyxOptions } from './provider.ts';
import { codeOf, readMessage, titleOf } from './provider-message.ts';

/**
 * Passes every option, because the SDK would read missing ones from the environment and could send our traffic
 * elsewhere.
 */
export function createTelnyx(options: TelnyxOptions): SmsProvider {
  const client = new Telnyx({
    apiKey: options.apiKey,
    publicKey: null,
    baseURL: options.baseUrl,
    clientID: null,
    clientSecret: null,
    maxRetries: 0,
    timeout: options.timeoutMs,
    logLevel: 'off',
    defaultHeaders: {},
    fetch: createPooledFetch(options.baseUrl) as typeof fetch,
  });
  return {
    prepare: async () => undefined,
    async send(text) {
      try {
        const response = await client.messages.send(
          {
            from: text.from,
            to: text.to,
            text: text.body,
            webhook_url: `${options.receiptsUrl}/${text.id}`,
          },
          { headers: { 'Idempotency-Key': text.key } },
        );
        const providerId = response.data?.id;
        return providerId === undefined
          ? { kind: 'unknown', reason: 'answer_without_id' }
          : { kind: 'accepted', provider_id: providerId };
      } catch (error) {
        return outcomeOf(failureOf(error));
      }
    },
    async isAtWork() {
      try {
        await client.messages.retrieve(unknownTextId);
        return true;
      } catch (error) {
        return isAtWork(outcomeOf(failureOf(error))) !== false;
      }
    },
    async lookUp(providerId) {
      const response = await client.messages.retrieve(providerId).catch(nullIfNotFound);
      return response === null ? null : readMessage(response.data);
    },
    async findRecord({ id, to, from, until, except }) {
      const page = await client.detailRecords.list({
        filter: {
          record_type: 'messaging',
          cld: to,
          created_at: { gte: from.toISOString(), lte: until.toISOString() },
        },
      } as Parameters<typeof client.detailRecords.list>[0]);
      const records = page.data as { uuid?: string; delivery_status_webhook_url?: string }[];
      const match = records.find(
        ({ uuid, delivery_status_webhook_url: url }) =>
          url?.endsWith(`/${id}`) && uuid !== undefined && !except.includes(uuid),
      );
      return match?.uuid ?? null;
    },
    async listBlocked(page) {
      const { data, meta } = await client.messagingOptouts.list({
        'page[number]': page,
        'page[size]': blockedPerPage,
        ...(options.messagingProfileId !== undefined && {
          filter: { messaging_profile_id: options.messagingProfileId },
        }),
      });
      return {
        blocked: data.flatMap(({ to, keyword }) =>
          to ? [{ phone: to, by_keyword: Boolean(keyword) }] : [],
        ),
        isLast: data.length === 0 || page >= (meta.total_pages ?? 0),
      };
    },
    async lookUpNumber(phone) {
      const response = await client.numberLookup.retrieve(phone, { type: 'carrier' });
      const { type, name, normalized_carrier } = response.data?.carrier ?? {};
      return { line_type: type ?? null, carrier: normalized_carrier || name || null };
    },
  };
}

const blockedPerPage = 250;
const unknownTextId = '00000000-0000-4000-8000-000000000000';

/** Returns codes only, because the provider's messages contain phone numbers. */
function failureOf(error: unknown): SendFailure {
  if (error instanceof APIConnectionError) {
    const { cause } = error;
    if (cause instanceof NotConnected)
      return { phase: 'connect', error: `no_connection_${cause.message}` };
    return {
      phase: 'lost',
      error: cause instanceof KeptConnectionLost ? connectionReset : 'no_answer',
    };
  }
  if (error instanceof APIError && typeof error.status === 'number') {
    return {
      phase: 'answer',
      status: error.status,
      code: codeOf(error.error),
      title: titleOf(error.error),
      retry_after_ms: retryAfterOf(error.headers),
    };
  }
  return { phase: 'lost', error: 'no_answer' };
}

const maxWaitMs = 4 * hourMs;

function retryAfterOf(headers: Headers | undefined): number | null {
  const seconds = Number(headers?.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1_000, maxWaitMs) : null;
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof APIError && error.status === 404) return null;
  throw error;
}
