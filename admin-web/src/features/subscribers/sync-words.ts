import type { TelnyxSync } from '@daylift/contracts/managed-users.http';

export const syncWords: Record<TelnyxSync, string> = {
  synced: 'SMS provider: synced.',
  queued: 'SMS provider: queued, takes effect within seconds.',
  not_required: 'SMS provider: no change needed.',
  failed_will_retry: 'SMS provider: unreachable, will retry.',
};
