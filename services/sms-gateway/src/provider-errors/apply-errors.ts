import { minuteMs } from '@daylift/clock/durations';
import { Counter } from '@daylift/server/metrics';
import type { Transaction } from 'kysely';
import { stopBatch } from '../batches/batches.repository.ts';
import type { SmsDatabase } from '../database.ts';
import type { ClassifiedError } from '../provider/outcome-table.ts';
import { pauseSending } from '../provider/send-pause.repository.ts';
import { countFailure, reportUnreachable } from '../reachability/reachability.ts';
import { slowDown } from '../senders/senders.repository.ts';
import { addErrors } from './provider-errors.repository.ts';

/** The provider's error for a text. */
export interface TextError extends ClassifiedError {
  batch_id: string | null;
  local_date: string;
  sender: string | null;
  sentAt: Date;
  /** Null for tests and for texts to strangers. */
  recipient: { user_id: string; phone: string } | null;
}

const coolDownMs = 15 * minuteMs;

const unknownCodes = new Counter({
  name: 'sms_unknown_error_codes_total',
  help: 'Error codes of the provider that the outcome table has no rule for, by phase',
  labelNames: ['phase'],
});
for (const phase of ['sync', 'async']) unknownCodes.labels(phase).inc(0);

/** Counts errors and applies their effects beyond the text. The breaker handles pauses for sync errors. */
export async function applyErrors(
  trx: Transaction<SmsDatabase>,
  errors: TextError[],
  now: Date,
): Promise<void> {
  if (errors.length === 0) return;
  await addErrors(trx, errors, now);
  for (const { phase, is_unknown } of errors) if (is_unknown) unknownCodes.labels(phase).inc();
  for (const error of errors) await applySideEffects(trx, error, now);
}

async function applySideEffects(
  trx: Transaction<SmsDatabase>,
  { action, phase, code, batch_id, local_date, sender, sentAt, recipient }: TextError,
  now: Date,
): Promise<void> {
  switch (action) {
    case 'stop_batch':
      if (batch_id !== null) await stopBatch(trx, batch_id, { code, sentAt, resumesAt: null, now });
      return;
    case 'cool_down_batch': {
      const resumesAt = new Date(now.getTime() + coolDownMs);
      if (batch_id !== null) await stopBatch(trx, batch_id, { code, sentAt, resumesAt, now });
      return;
    }
    case 'landline':
      if (recipient !== null) await reportUnreachable(trx, recipient, 'landline', now);
      return;
    case 'number_failed':
      // Others don't count, because strangers can have codes texted to the number.
      if (recipient !== null && batch_id !== null)
        await countFailure(trx, { ...recipient, code, sentAt, local_date, now });
      return;
    case 'slow_sender':
      if (sender !== null) await slowDown(trx, sender, now);
      return;
    case 'pause':
    case 'pause_until_utc_midnight': {
      if (phase === 'sync') return;
      // The provider accepts texts and fails them later, so a probe shows little: try rarely.
      const until = action === 'pause' ? 'max_delay' : 'midnight_utc';
      const pause = { reason: `carrier_${code}`, until, is_outage: false, isProbe: false } as const;
      await pauseSending(trx, { ...pause, now, sentAt });
    }
  }
}
