import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { isAtWork, type SendOutcome } from './outcome.ts';
import { countUnclear, forgetUnclear, pauseSending } from './send-pause.repository.ts';

/** Consecutive unclear responses, across all workers, that pause sending. */
export const unclearToPause = 5;

interface Call {
  outcome: SendOutcome;
  isProbe: boolean;
  now: Date;
}

/**
 * Records what calls show about the provider, in their order. If it refuses our account or is down, pauses sending
 * before more texts are lost. Returns for each whether sending is paused because of it.
 */
export async function noteCalls(trx: Transaction<SmsDatabase>, calls: Call[]): Promise<boolean[]> {
  const pauses: boolean[] = [];
  let lastWorked = false;
  for (const { outcome, isProbe, now } of calls) {
    const atWork = isAtWork(outcome);
    let shouldPause = false;
    if (outcome.kind === 'account')
      shouldPause = await pauseSending(trx, { ...outcome, is_outage: false, isProbe, now });
    else if (atWork === true && !lastWorked) await forgetUnclear(trx);
    else if (atWork === false && 'reason' in outcome) {
      const { reason } = outcome;
      if (isProbe || (await countUnclear(trx)) >= unclearToPause)
        shouldPause = await pauseSending(trx, {
          reason,
          until: 'probe',
          is_outage: true,
          isProbe,
          now,
        });
    }
    lastWorked = atWork === true;
    pauses.push(shouldPause);
  }
  return pauses;
}
