import { hourMs, minuteMs } from '@daylift/clock/durations';
import { Counter } from '@daylift/server/metrics';
import type { SmsDeps } from '../deps.ts';
import { takePlace } from '../spend/spend.repository.ts';
import {
  claimLookup,
  type DueLookup,
  postponeLookup,
  storeLookup,
} from './number-lookups.repository.ts';

type LookupDeps = Pick<SmsDeps, 'db' | 'clock' | 'log' | 'provider' | 'settings'>;

/** Across all replicas; each lookup costs money. */
const maxPerHour = 600;
const maxPerRun = 10;
const maxTries = 5;
const leaseMs = 5 * minuteMs;

const lookups = new Counter({
  name: 'sms_number_lookups_total',
  help: 'Lookups of proven numbers at the provider, by result',
  labelNames: ['result'],
});
for (const result of ['found', 'failed']) lookups.labels(result).inc(0);
const cost = new Counter({
  name: 'sms_number_lookup_dollars_total',
  help: 'Cost of number lookups at the configured price',
});

/**
 * Looks up the line type and carrier of proven numbers, for operators only: a number that has replied gets texts,
 * whatever its line is called. A failure is retried later. Returns how many were looked up.
 */
export async function lookUpNumbers(deps: LookupDeps): Promise<number> {
  let done = 0;
  for (; done < maxPerRun; done += 1) {
    const due = await claim(deps);
    if (due === null) break;
    await lookUp(deps, due);
  }
  return done;
}

function claim({ db, clock }: LookupDeps): Promise<DueLookup | null> {
  const now = clock.now();
  return db
    .transaction()
    .execute(async (trx) => {
      const due = await claimLookup(trx, { now, until: new Date(now.getTime() + leaseMs) });
      if (due === null) return null;
      const place = { area: 'number_lookups', limit: maxPerHour, now };
      if (!(await takePlace(trx, place))) throw new HourUsed();
      return due;
    })
    .catch((error: unknown) => {
      if (error instanceof HourUsed) return null;
      throw error;
    });
}
/** Rolls the claim back, so the number waits for the next hour. */
class HourUsed extends Error {}

async function lookUp(
  { db, clock, log, provider, settings }: LookupDeps,
  due: DueLookup,
): Promise<void> {
  try {
    const facts = await provider.lookUpNumber(due.phone);
    await storeLookup(db, due.number_hash, facts, clock.now());
    lookups.labels('found').inc();
    cost.inc(Number(settings.TELNYX_LOOKUP_PRICE));
  } catch {
    // The error could contain the number.
    lookups.labels('failed').inc();
    log.warn({ user_id: due.user_id, tries: due.tries }, 'number lookup failed');
    const retryAt = new Date(clock.now().getTime() + hourMs * 2 ** due.tries);
    await postponeLookup(db, due.number_hash, due.tries < maxTries ? retryAt : null);
  }
}
