import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { isAtWork, type SendOutcome } from './outcome.ts';
import { countUnclear, forgetUnclear, pauseSending } from './send-pause.repository.ts';

/** Consecutive unclear responses, across all workers, that pause sending. */
export const unclearToPause = 5;

/**
 * Records what one call shows about the provider. If it refuses our account or is down, pauses sending before more
 * texts are lost. Returns whether sending is paused because of this call.
 */
export async function noteCall(
  trx: Transaction<SmsDatabase>,
  { outcome, isProbe, now }: { outcome: SendOutcome; isProbe: boolean; now: Date },
): Promise<boolean> {
  if (outcome.kind === 'account')
    return pauseSending(trx, { ...outcome, is_outage: false, isProbe, now });
  const atWork = isAtWork(outcome);
  if (atWork === true) await forgetUnclear(trx);
  if (atWork !== false || !('reason' in outcome)) return false;
  if (!isProbe && (await countUnclear(trx)) < unclearToPause) return false;
  const { reason } = outcome;
  return pauseSending(trx, { reason, until: 'probe', is_outage: true, isProbe, now });
}
