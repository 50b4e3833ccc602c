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

/** While sending is paused, tries one text at the scheduled time and resumes if the provider takes it. */
export async function probeSending(deps: SenderDeps): Promise<number> {
  const { db, clock, log } = deps;
  const pause = await findSendPause(db);
  const now = clock.now();
  if (pause === null || pause.probe_at > now) return 0;
  if ((await stopReason(db)) === 'frozen') return 0;
  const [id] = await findDueIds(db, now, 1);
  if (id === undefined) return 0;
  if (!(await takeProbe(db, now, new Date(now.getTime() + probeLeaseMs)))) return 0;
  // A text without a response is lost, so none is risked before the provider responds at all.
  if (pause.is_outage && !(await deps.provider.isAtWork())) {
    await tryAt(db, new Date(clock.now().getTime() + retryMs));
    return 1;
  }
  const [result] = await sendTexts(deps, [id], { isProbe: true });
  // Whether accepted or refused by itself, the provider works for us again.
  if (result !== undefined && worksFor.has(result)) {
    await resumeSending(db, clock.now());
    log.warn({ reason: pause.reason }, 'provider available; sending resumed');
  } else if (result === 'ended' || result === 'waits' || result === 'failed') {
    // The probe never reached the provider, so the next one may run immediately.
    await takeProbe(db, new Date(now.getTime() + probeLeaseMs), now);
  }
  return 1;
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
