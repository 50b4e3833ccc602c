import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { stopReason } from '../freeze/why-stopped.ts';
import {
  findSendPause,
  resumeSending,
  takeProbe,
  tryAt,
} from '../provider/send-pause.repository.ts';
import { findDueIds, hasQueuedTexts } from '../queue/queue.repository.ts';
import { type SenderDeps, type SendResult, sendTexts } from '../texts/send-texts.ts';

/** A crash during a probe delays the next one by this. */
const probeLeaseMs = 60_000;
/** A health check costs nothing, so an outage is checked this often however long it lasts. */
const retryMs = 30_000;

const worksFor = new Set<SendResult>(['accepted', 'refused', 'our_bug', 'opted_out']);

/** While sending is paused, tries one text at the scheduled time. */
export async function probeSending(deps: SenderDeps): Promise<number> {
  return (await probe(deps)) === null ? 0 : 1;
}

/**
 * Tries this text or the first due one, and resumes sending if the provider takes it. Returns whether it got to the
 * provider, or null if no probe is due.
 */
export async function probe(deps: SenderDeps, text?: string): Promise<boolean | null> {
  const { db, clock, log } = deps;
  const pause = await findSendPause(db);
  const now = clock.now();
  if (pause === null || pause.probe_at > now) return null;
  if ((await stopReason(db)) === 'frozen') return null;
  const id = text ?? (await findDueIds(db, now, 1))[0];
  if (id === undefined) return null;
  if (!(await takeProbe(db, now, new Date(now.getTime() + probeLeaseMs)))) return null;
  // A text without a response is lost, so none is risked before the provider responds at all.
  if (pause.is_outage && !(await deps.provider.isAtWork())) {
    await tryAt(db, new Date(clock.now().getTime() + retryMs));
    return true;
  }
  const [result] = await sendTexts(deps, [id], { isProbe: true });
  // Whether accepted or refused by itself, the provider works for us again.
  if (result !== undefined && worksFor.has(result)) {
    await resumeSending(db, clock.now());
    log.warn({ reason: pause.reason }, 'provider available; sending resumed');
  } else if (result === 'ended' || result === 'waits' || result === 'failed') {
    // The next probe may run immediately.
    await takeProbe(db, new Date(now.getTime() + probeLeaseMs), now);
    return false;
  }
  return true;
}

/** Returns when the next probe is due, or null if there is no text to try. */
export async function nextProbe(deps: {
  db: Kysely<SmsDatabase>;
  clock: SenderDeps['clock'];
}): Promise<Date | null> {
  const pause = await findSendPause(deps.db);
  if (pause === null || (await stopReason(deps.db)) === 'frozen') return null;
  return (await hasQueuedTexts(deps.db)) ? pause.probe_at : null;
}
