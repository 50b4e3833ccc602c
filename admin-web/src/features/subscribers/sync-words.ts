import type { TelnyxSync } from '@daylift/contracts/people.http';

/** What became of a change on its way to the SMS provider. */
export const syncWords: Record<TelnyxSync, string> = {
  synced: 'SMS provider: done.',
  queued: 'SMS provider: queued, it applies within seconds.',
  not_required: 'SMS provider: nothing to change.',
  failed_will_retry: 'SMS provider: not reached yet, we keep trying.',
};
