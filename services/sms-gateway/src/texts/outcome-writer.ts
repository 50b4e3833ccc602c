import { setTimeout as delay } from 'node:timers/promises';
import { isOutage } from '@daylift/events/handle-event';
import { createSetWriter } from '@daylift/server/set-writer';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { NumberHash } from '../opt-outs/number-hash.ts';
import { type FinishedCall, recordOutcomes } from './results.ts';

export interface OutcomeWriter {
  /** Resolves once the outcome is stored, with whether sending pauses because of it. */
  add(call: FinishedCall): Promise<boolean>;
}

const maxOutcomes = 200;
/** Less than for receipts, so the response of a send is usually stored before its first receipt. */
const collectOutcomesMs = 50;
const retriesMs = [50, 500, 2_000];

/**
 * Stores outcomes that arrive together in one transaction. An outcome must survive a lost database connection: until the
 * lease ends, no one else changes the row.
 */
export function createOutcomeWriter(deps: {
  db: Kysely<SmsDatabase>;
  numberHash: NumberHash;
}): OutcomeWriter {
  return createSetWriter<FinishedCall, boolean>({
    maxItems: maxOutcomes,
    collectMs: collectOutcomesMs,
    async write(calls) {
      for (let tries = 0; ; tries += 1) {
        try {
          return await recordOutcomes(deps, calls);
        } catch (error) {
          const retryMs = retriesMs[tries];
          if (retryMs === undefined || !isOutage(error)) throw error;
          await delay(retryMs);
        }
      }
    },
  });
}
