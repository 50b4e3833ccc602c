import { dayMs, minuteMs } from '@daylift/clock/durations';
import { accountsEvents } from '@daylift/contracts/accounts.events';
import type { EventEnvelope } from '@daylift/contracts/event';
import { publish } from '@daylift/events/publish';
import type { Logger } from '@daylift/server/logger';
import type { Loop } from '@daylift/server/loops';
import type { Db } from '../database.ts';
import { type Anchor, findNewestEntry, lostAfter } from './audit-log.repository.ts';

export type ReadAnchor = () => Promise<Anchor | null>;

export const anchorType = 'accounts.audit.anchored';

export function anchorOf({ data, occurred_at }: EventEnvelope): Anchor {
  return { ...(data as Omit<Anchor, 'at'>), at: new Date(occurred_at) };
}

const everyMs = 60_000;
const entriesWithout = 100;
const changedWithoutMs = 5 * minuteMs;
// The stream keeps an event for 14 days.
const unchangedWithoutMs = dayMs;

/**
 * Publishes the newest entry's hash, which reveals a later loss of entries. Publishes nothing after a loss: an anchor of
 * the shorter log would hide it. On the wall clock.
 */
export function anchorLoop(deps: {
  db: Db;
  log: Pick<Logger, 'info' | 'error'>;
  readAnchor: ReadAnchor;
}): Loop {
  const { db, log } = deps;
  let pausedUntil = 0;
  return {
    name: 'anchor-audit-log',
    everyMs,
    async run() {
      const now = new Date();
      if (now.getTime() < pausedUntil) return 0;
      const anchor = await deps.readAnchor();
      if (anchor !== null && (await lostAfter(db, anchor)) !== null) {
        log.error({ entry: anchor.entry }, 'audit log does not match its anchor');
        return 0;
      }
      const newest = await findNewestEntry(db);
      if (newest === null || !isDue(newest.entry, anchor, now)) return 0;
      await db
        .transaction()
        .execute((trx) => publish(trx, accountsEvents, anchorType, newest, now));
      log.info(newest, 'audit log anchored');
      // Gives the event time to reach the stream.
      pausedUntil = now.getTime() + everyMs;
      return 1;
    },
  };
}

function isDue(newest: number, anchor: Anchor | null, now: Date): boolean {
  if (anchor === null || newest - anchor.entry >= entriesWithout) return true;
  const age = now.getTime() - anchor.at.getTime();
  return age >= (newest > anchor.entry ? changedWithoutMs : unchangedWithoutMs);
}
