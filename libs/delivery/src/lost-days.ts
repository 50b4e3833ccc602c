import type { UndeliveredOutcome } from '@daylift/contracts/undelivered.http';

/** Provider errors of numbers that no text of ours can reach. */
export const numberErrors = ['10002', '10016', '40001', '40012', '40301', '40310'] as const;

const ownReasons = new Set<string>([
  'day_used',
  ...numberErrors.flatMap((code) => [`provider_${code}`, `carrier_${code}`]),
]);
const skippedByStaff = new Set(['discarded', 'frozen_skipped', 'batch_canceled']);
const ourOutcomes = new Set<UndeliveredOutcome>(['missed', 'refused', 'failed', 'unknown']);

/** Returns whether a day without its text counts as lost: the reason is ours or a carrier's, not the subscriber's. */
export function isLostDay(outcome: UndeliveredOutcome, reason: string | null): boolean {
  if (outcome === 'skipped') return skippedByStaff.has(reason ?? '');
  return ourOutcomes.has(outcome) && !ownReasons.has(reason ?? '');
}
