import type { TelnyxSync } from '@daylift/contracts/managed-users.http';

export const syncWords: Record<TelnyxSync, string> = {
  synced: '',
  queued: 'The SMS provider will be up to date in a few seconds.',
  not_required: '',
  failed_will_retry: "The SMS provider can't be reached right now; we'll keep trying.",
};
