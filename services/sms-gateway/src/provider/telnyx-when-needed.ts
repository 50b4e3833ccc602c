import type { SmsProvider, TelnyxOptions } from './provider.ts';

/** Loads the SDK at the first call: it takes 6 MiB, and the API process rarely calls the provider. */
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
    listBlocked: async (page) => (await telnyx()).listBlocked(page),
    lookUpNumber: async (phone) => (await telnyx()).lookUpNumber(phone),
  };
}
