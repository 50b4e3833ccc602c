import type { LostDaySettings, LostDaySettingsRequest } from '@daylift/contracts/billing.http';
import { defaultCurrency } from '@daylift/contracts/plans';
import { readCounters } from '@daylift/database/counters';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import {
  findLostDaySettings,
  lockLostDaySettings,
  storeLostDaySettings,
  sumOtherCredit,
} from './lost-days.repository.ts';

type Deps = Pick<BillingDeps, 'db' | 'clock' | 'operatorTimeZone'>;

/** Returns the settings, and what was credited since the month started in the operators' time zone. */
export async function readLostDaySettings(deps: Deps): Promise<LostDaySettings> {
  const { db, clock, operatorTimeZone } = deps;
  const monthStart = Temporal.Instant.fromEpochMilliseconds(clock.now().getTime())
    .toZonedDateTimeISO(operatorTimeZone)
    .with({ day: 1 })
    .startOfDay();
  // Counters are per hour of UTC.
  const since = monthStart.toInstant().toString().slice(0, 13);
  const sum = async (trx: Trx, name: string) => {
    const counts = await readCounters(trx, `${name}.`, `${name}.${since}`);
    return [...counts.values()].reduce((total, count) => total + count, 0);
  };
  // One snapshot, because a part is subtracted from the total.
  const { settings, days, total, others } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => ({
      settings: await findLostDaySettings(trx),
      days: await sum(trx, 'lost_days'),
      total: await sum(trx, 'lost_days_cents'),
      others: await sumOtherCredit(trx, new Date(`${since}:00Z`)),
    }));
  const credit_cents = others.reduce((left, other) => left - other.credit_cents, total);
  return {
    ...settings,
    this_month: {
      ...{ days, credit_cents, currency: defaultCurrency },
      ...(others.length > 0 && { others }),
    },
  };
}

/** Stores the settings and records the change. They apply to days that are decided from now on. */
export async function changeLostDaySettings(
  deps: Deps,
  wanted: LostDaySettingsRequest,
  by: ActingAdmin,
): Promise<LostDaySettings> {
  await deps.db.transaction().execute(async (trx) => {
    const before = await lockLostDaySettings(trx);
    const details = {
      enabled: { from: before.enabled, to: wanted.enabled },
      max_days_per_month: { from: before.max_days_per_month, to: wanted.max_days_per_month },
    };
    if (Object.values(details).every(({ from, to }) => from === to)) return;
    await storeLostDaySettings(trx, wanted);
    const action = { action: 'lost_day_settings.changed', target: null, details };
    await publishAdminAction(trx, 'billing', by, action, deps.clock.now());
  });
  return readLostDaySettings(deps);
}
