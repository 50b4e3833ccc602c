import Telnyx, { APIError } from 'telnyx';
import { isAtWork, outcomeOf, type SendFailure } from './outcome.ts';
import { createPostMessage, FailedCall } from './post-message.ts';
import type { SmsProvider, TelnyxOptions } from './provider.ts';
import { codeOf, readMessage } from './provider-message.ts';
import { retryAfterOf } from './retry-after.ts';
import { createVerifyWebhook } from './verify-webhook.ts';

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
  });
  const postMessage = createPostMessage(options);
  // The SDK's own timeout ends at the headers; a body that never ends must not block a worker.
  const limits = () => ({ maxRetries: 0, signal: AbortSignal.timeout(options.timeoutMs) });
  return {
    prepare: async () => undefined,
    async send({ id, to, body }) {
      try {
        const message = {
          from: options.from,
          to,
          text: body,
          webhook_url: `${options.receiptsUrl}/${id}`,
        };
        const providerId = (await postMessage(message, id)).data?.id;
        return providerId === undefined
          ? { kind: 'unknown', reason: 'answer_without_id' }
          : { kind: 'accepted', provider_id: providerId };
      } catch (error) {
        return outcomeOf(failureOf(error));
      }
    },
    async isAtWork() {
      try {
        await client.messages.retrieve(nobodysText, limits());
        return true;
      } catch (error) {
        return isAtWork(outcomeOf(failureOf(error))) !== false;
      }
    },
    async lookUp(providerId) {
      const answer = await client.messages.retrieve(providerId, limits()).catch(nullIfNotFound);
      return answer === null ? null : readMessage(answer.data);
    },
    async findRecord({ id, to, from, until }) {
      const page = await client.detailRecords.list(
        {
          filter: {
            record_type: 'messaging',
            cld: to,
            created_at: { gte: from.toISOString(), lte: until.toISOString() },
          },
        } as Parameters<typeof client.detailRecords.list>[0],
        limits(),
      );
      const records = page.data as { uuid?: string; delivery_status_webhook_url?: string }[];
      const ours = records.find((one) => one.delivery_status_webhook_url?.endsWith(`/${id}`));
      return ours?.uuid ?? null;
    },
    verify: createVerifyWebhook(options.publicKey),
  };
}

const nobodysText = '00000000-0000-4000-8000-000000000000';

/** Returns codes only, because the provider's messages contain phone numbers. */
function failureOf(error: unknown): SendFailure {
  if (error instanceof FailedCall) return error.failure;
  if (error instanceof APIError && typeof error.status === 'number') {
    return {
      phase: 'answer',
      status: error.status,
      code: codeOf(error.error),
      retry_after_ms: retryAfterOf(error.headers?.get('retry-after')),
    };
  }
  return { phase: 'lost', error: 'no_answer' };
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof APIError && error.status === 404) return null;
  throw error;
}
