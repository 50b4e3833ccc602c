import { dayMs } from '@daylift/clock/durations';
import type { SubscriptionStatus } from '@daylift/contracts/fields';
import type { SubscriptionDay } from '@daylift/contracts/figures.http';
import { changeCounter, readCounters } from '@daylift/database/counters';
import { isConverted, storeConversion, storeTrialEnd } from '../customers/customers.repository.ts';
import type { Db, Trx } from '../database.ts';

const kinds = ['trials_started', 'converted', 'churned', 'paid_churned'] as const;
type Kind = (typeof kinds)[number];

/** Counted by UTC hour, so days can be added up in any time zone. */
const hourOf = (instant: Date): string => instant.toISOString().slice(0, 13);
const count = (trx: Trx, kind: Kind, at: Date) => changeCounter(trx, `${kind}.${hourOf(at)}`, 1);

const standing = new Set<SubscriptionStatus | undefined>(['trial', 'active', 'past_due']);
const over = new Set<SubscriptionStatus | undefined>(['canceled', 'expired']);

export async function countChange(
  trx: Trx,
  before: SubscriptionStatus | undefined,
  after: { user_id: string; status: SubscriptionStatus; trial_end: Date | null },
  now: Date,
): Promise<void> {
  const { user_id, status, trial_end } = after;
  if (status === 'trial' && before !== 'trial') await count(trx, 'trials_started', now);
  if (before === 'trial' && status !== 'trial') await storeTrialEnd(trx, user_id, now);
  if (!standing.has(before) || !over.has(status)) return;
  await count(trx, 'churned', now);
  // A trial is past due after a failed first charge, too.
  const hadPaid = trial_end === null || (await isConverted(trx, user_id));
  if (before !== 'trial' && hadPaid) await count(trx, 'paid_churned', now);
}

/** Counts a trial's first payment once, however often it is read. */
export async function countConversion(trx: Trx, userId: string, paidAt: Date): Promise<void> {
  if (await storeConversion(trx, userId, paidAt)) await count(trx, 'converted', paidAt);
}

/** Returns the last days in `timeZone` without gaps, today last. */
export async function readSubscriptionDays(
  db: Db,
  days: number,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<SubscriptionDay[]> {
  const dateOf = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(timeZone).toPlainDate();
  const today = dateOf(Temporal.Instant.fromEpochMilliseconds(now.getTime()));
  const firstHour = hourOf(new Date(now.getTime() - (days + 1) * dayMs));
  const rows = new Map<string, SubscriptionDay>();
  for (let ago = days - 1; ago >= 0; ago -= 1) {
    const date = today.subtract({ days: ago }).toString();
    rows.set(date, { date, trials_started: 0, converted: 0, churned: 0, paid_churned: 0 });
  }
  const counts = await Promise.all(
    kinds.map((kind) => readCounters(db, `${kind}.`, `${kind}.${firstHour}`)),
  );
  kinds.forEach((kind, index) => {
    for (const [name, value] of counts[index] ?? []) {
      const row = rows.get(dateOf(instantOf(name.slice(kind.length + 1))).toString());
      if (row !== undefined) row[kind] += value;
    }
  });
  return [...rows.values()];
}

const instantOf = (hour: string): Temporal.Instant => Temporal.Instant.from(`${hour}:00Z`);
