import { unwrapWebhook } from 'telnyx/lib/webhooks';
import type { SmsProvider, TelnyxOptions } from './provider.ts';

/**
 * For a process that takes receipts and seldom calls: the SDK with all of the provider's resources takes 6 MiB, and is loaded
 * at the first call.
 */
export function createTelnyxWhenNeeded(options: TelnyxOptions): SmsProvider {
  let loading: Promise<SmsProvider> | undefined;
  const telnyx = () => {
    loading ??= import('./telnyx-client.ts')
      .then(({ createTelnyx }) => createTelnyx(options))
      .catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
    return loading;
  };
  return {
    prepare: async () => void (await telnyx()),
    send: async (text) => (await telnyx()).send(text),
    isAtWork: async () => (await telnyx()).isAtWork(),
    lookUp: async (providerId) => (await telnyx()).lookUp(providerId),
    findRecord: async (query) => (await telnyx()).findRecord(query),
    verify: (rawBody, headers) =>
      unwrapWebhook(rawBody, { headers: headers as Record<string, string> }, options.publicKey),
  };
}
