import { minuteMs } from '@daylift/clock/durations';
import type { Loop } from '@daylift/server/loops';
import { Counter, registerGauges } from '@daylift/server/metrics';
import { recountMrr } from '../business/mrr-changes.repository.ts';
import type { BillingDeps } from '../deps.ts';
import { enqueueTask, enqueueTaskOnce } from '../provider-tasks/provider-tasks.repository.ts';
import { instantOf, isForbidden, isRefusal } from '../stripe-client.ts';
import { comparedKinds, isMissingThere } from './compared-kinds.ts';
import {
  type Comparison,
  claimComparison,
  findComparedAt,
  planFirstComparison,
  storeProgress,
} from './comparison.repository.ts';

type Deps = Pick<BillingDeps, 'db' | 'clock' | 'log' | 'stripe' | 'operatorTimeZone' | 'wake'>;

const kinds = Object.keys(comparedKinds);
const firstKind = kinds[0]!;
const night = { hour: 3 };
/** More than this on one page point to a wrong Stripe account, not to lost objects. Only the alert reports them. */
const maxSuspects = 50;

const differences = new Counter({
  name: 'billing_differences_total',
  help: 'Differences from the payment provider found by the nightly comparison',
  labelNames: ['kind'],
});

/**
 * Compares our copies with the provider every night, in both directions and page by page. Reads again what differs,
 * which repairs it. Differences that no rule resolves become failed tasks, which an operator can retry or discard.
 */
export function createComparisonLoop(
  deps: Deps,
  { pageSize = 100, pagesPerRun = 20 }: { pageSize?: number; pagesPerRun?: number } = {},
): Loop {
  const { db, clock, log, operatorTimeZone } = deps;
  registerGauges([
    {
      name: 'billing_compared_timestamp_seconds',
      help: 'Time of the last complete comparison with the payment provider',
      read: async () => {
        const at = await findComparedAt(db);
        return at === null ? null : at.getTime() / 1000;
      },
    },
  ]);
  // An alert on the increase needs a first value.
  for (const kind of kinds) differences.labels(kind).inc(0);
  let isPlanned = false;
  async function planFirst(now: Date): Promise<void> {
    if (isPlanned) return;
    const next_run_at = nextNight(now, operatorTimeZone);
    await planFirstComparison(db, { next_run_at, started_at: now, kind: firstKind });
    isPlanned = true;
  }
  return {
    name: 'compare-with-provider',
    everyMs: 10_000,
    settleEveryMs: minuteMs,
    async run() {
      const now = clock.now();
      await planFirst(now);
      let at = await claimComparison(db, { kind: firstKind, now });
      let pages = 0;
      try {
        for (; at !== undefined && pages < pagesPerRun; pages += 1)
          at = await comparePage(deps, at, pageSize);
        if (at !== undefined) await storeProgress(db, { ...placeOf(at), claimed_until: null });
      } catch (error) {
        // Continues there after the lease. The provider rejects a cursor to a deleted object.
        log.warn({ err: error, kind: at?.kind }, 'comparison with the provider interrupted');
        if (at !== undefined && isRefusal(error)) await storeProgress(db, startOf(at.kind));
      }
      return pages;
    },
  };
}

const placeOf = ({ kind, cursor, cursor_at }: Comparison) => ({ kind, cursor, cursor_at });
const startOf = (kind: string) => ({ kind, cursor: null, cursor_at: null });

/** Compares one page and returns the next place, or undefined after the last one. */
async function comparePage(
  deps: Deps,
  at: Comparison,
  limit: number,
): Promise<Comparison | undefined> {
  const { db, stripe, clock } = deps;
  const kind = comparedKinds[at.kind] ?? comparedKinds[firstKind]!;
  const page = await kind
    .list(stripe, {
      limit,
      ...(at.cursor !== null && { starting_after: at.cursor }),
      created: { lte: Math.floor(at.started_at.getTime() / 1000) },
    })
    .catch((error: unknown) => {
      if (!isForbidden(error)) throw error;
      deps.log.error({ err: error, kind: at.kind }, 'kind not readable with our key; skipped');
      differences.labels(at.kind).inc(maxSuspects);
      return null;
    });
  if (page === null) return advance(deps, at, undefined);
  const last = page.data.at(-1);
  // The next page may have more of the last second, and the previous page of the first.
  const from = page.has_more && last !== undefined ? instantOf(last.created + 1) : new Date(0);
  const { repair, unclear } = await kind.differences(db, page.data);
  const span = {
    from,
    until: at.cursor_at ?? at.started_at,
    except: page.data.map(({ id }) => id),
    limit: maxSuspects + 1,
  };
  const unlisted = (await kind.ours?.(db, span)) ?? [];
  const isMissing = await Promise.all(unlisted.map((id) => isMissingThere(kind, stripe, id)));
  const suspects = [...unclear, ...unlisted.filter((_id, index) => isMissing[index])];
  const now = clock.now();
  await enqueueTask(db, kind.task, repair, now);
  await enqueueTaskOnce(
    db,
    'explain_difference',
    suspects.length > maxSuspects ? [] : suspects.map((id) => `${at.kind}:${id}`),
    now,
  );
  if (repair.length + suspects.length > 0) {
    differences.labels(at.kind).inc(repair.length + suspects.length);
    deps.log.info(
      { kind: at.kind, repair, doubtful: suspects },
      'differences from the provider found',
    );
    deps.wake('provider-tasks');
  }
  return advance(deps, at, page.has_more ? last : undefined);
}

async function advance(
  { db, clock, log, operatorTimeZone }: Deps,
  at: Comparison,
  last: { id: string; created: number } | undefined,
): Promise<Comparison | undefined> {
  const kind = last === undefined ? kinds[kinds.indexOf(at.kind) + 1] : at.kind;
  if (kind === undefined) {
    const now = clock.now();
    const recounted = await recountMrr(db, now);
    if (recounted > 0) log.info({ recounted }, 'missing MRR changes stored');
    await storeProgress(db, {
      ...startOf(firstKind),
      claimed_until: null,
      finished_at: now,
      next_run_at: nextNight(now, operatorTimeZone),
    });
    return undefined;
  }
  const place =
    last === undefined
      ? startOf(kind)
      : { kind, cursor: last.id, cursor_at: instantOf(last.created) };
  await storeProgress(db, place);
  return { ...at, ...place };
}

function nextNight(now: Date, timeZone: string): Date {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  const tonight = today.withPlainTime(night);
  const next =
    Temporal.ZonedDateTime.compare(tonight, today) > 0 ? tonight : tonight.add({ days: 1 });
  return new Date(next.epochMilliseconds);
}
