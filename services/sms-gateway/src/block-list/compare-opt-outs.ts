import { dayMs, minuteMs } from '@daylift/clock/durations';
import { Counter } from '@daylift/server/metrics';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { SmsDeps } from '../deps.ts';
import { recordOptOut } from '../opt-outs/opt-outs.ts';
import {
  findCheck,
  finishCheck,
  lockPage,
  noteBlocked,
  retryLater,
  startCheck,
  storePage,
} from './block-list.repository.ts';

type CompareDeps = Pick<SmsDeps, 'db' | 'clock' | 'log' | 'provider' | 'numberHash'>;

/** A START that is newer than this may not be in the provider's list yet, and wins over it. */
const startWinsMs = 10 * minuteMs;

const retryMs = 15 * minuteMs;

/** A million numbers. */
const maxPages = 4_000;

const repaired = new Counter({
  name: 'sms_opt_outs_repaired_total',
  help: "Numbers opted out here because the provider's block list had them",
});

/**
 * Compares our opt-outs with the provider's block list, once a day and one page per call. Numbers blocked there are
 * opted out here. Numbers opted out only here are counted, and never opted in. Returns how many pages were read.
 */
export async function compareOptOuts(deps: CompareDeps): Promise<number> {
  const { db, clock, log, provider, numberHash } = deps;
  const now = clock.now();
  await startCheck(db, { now, dueSince: new Date(now.getTime() - dayMs) });
  const { started_at, page, retry_at } = await findCheck(db);
  if (page === null || (retry_at !== null && now < retry_at)) return 0;
  const list = await provider.listBlocked(page).catch(() => null);
  if (list === null) {
    await retryLater(db, new Date(now.getTime() + retryMs));
    log.warn({ page }, "provider's block list unavailable");
    return 0;
  }
  const byKeyword = new Map(
    list.blocked.map(({ phone, by_keyword }) => [numberHash(phone), by_keyword]),
  );
  const hashes = [...byKeyword.keys()];
  const isLast = list.isLast || page >= maxPages;
  const added = await db.transaction().execute(async (trx) => {
    if (!(await lockPage(trx, { started_at, page }))) return 0;
    const known = await noteBlocked(trx, hashes, now);
    const at = new Date(now.getTime() - startWinsMs);
    let added = 0;
    for (const [numberHash, by_keyword] of byKeyword) {
      const before = known.get(numberHash);
      // A refusal doesn't say that the person replied STOP, which ends their renewal.
      if (before !== undefined && !(before.byRefusal && by_keyword)) continue;
      const change = { numberHash, at, source: 'block_list', by_keyword, now } as const;
      added += Number(await recordOptOut(trx, change));
    }
    await noteBlocked(trx, hashes, now);
    await storePage(trx, { blocked: hashes.length, added, next: isLast ? null : page + 1 });
    if (isLast) await finishCheck(trx, started_at, now);
    return added;
  });
  if (added > 0) {
    repaired.inc(added);
    log.warn({ added }, "numbers opted out by the provider's block list");
  }
  return 1;
}

/** Returns when the next comparison starts, or this one continues; null if it needn't wait. */
export async function nextComparison(db: Kysely<SmsDatabase>): Promise<Date | null> {
  const { started_at, page, retry_at } = await findCheck(db);
  return page === null ? new Date(started_at.getTime() + dayMs) : retry_at;
}
