import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { isAtWork, type SendOutcome } from './outcome.ts';
import { countUnclear, forgetUnclear, pauseSending } from './send-pause.repository.ts';

/** After so many calls in a row without a clear answer, of all workers together, sending rests. */
export const unclearToPause = 5;

/**
 * What one call told of the provider: one that refuses our account, or does not work, makes sending rest before more
 * texts are lost to it. Answers whether sending pauses, or goes on pausing, because of this call.
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
