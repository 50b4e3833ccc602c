import { hourMs } from '@daylift/clock/durations';
import type { Loop } from '@daylift/server/loops';
import type { Transaction } from 'kysely';
import { findTemplates } from '../contents/content-choice.repository.ts';
import { findMessages } from '../contents/contents.repository.ts';
import type { SchedulerDatabase } from '../database.ts';
import type { SchedulerDeps } from '../deps.ts';
import { findBatches } from './batches.repository.ts';
import {
  claimUnansweredDispatches,
  findUnansweredIds,
  markRepublished,
  postponeRepublishing,
} from './dispatches.repository.ts';
import type { Dispatch } from './dispatches.table.ts';
import { type Outgoing, outcomeTimeoutMs, publishRelease } from './release.actions.ts';

const maxPauseMs = 6 * hourMs;

/**
 * Publishes releases without an outcome again, except those that wait in sms-gateway's queue. Repetition is harmless,
 * because the dispatch is the receiver's primary key. Never gives up, because only sms-gateway knows what was sent.
 */
export function republishReleasesLoop(deps: SchedulerDeps): Loop {
  const { db, clock, batchSize } = deps;
  return {
    name: 'republish-releases',
    everyMs: 60_000,
    run: async () => {
      const now = clock.now();
      const unanswered = await findUnansweredIds(db, now, batchSize);
      if (unanswered.length === 0) return 0;
      const waiting = new Set(await findWaiting(deps, unanswered));
      return db.transaction().execute(async (trx) => {
        const claimed = await claimUnansweredDispatches(trx, now, batchSize);
        const known = claimed.filter(({ id }) => waiting.has(id));
        await postponeRepublishing(trx, known, new Date(now.getTime() + outcomeTimeoutMs));
        const lost = claimed.filter(({ id }) => !waiting.has(id) && unanswered.includes(id));
        if (lost.length > 0) await republish(trx, lost, now);
        return known.length + lost.length;
      });
    },
  };
}

/** Without a response, nothing counts as waiting: a repetition is better than a loss. */
async function findWaiting({ smsGateway }: SchedulerDeps, ids: string[]): Promise<string[]> {
  const path = `/internal/waiting-texts?ids=${ids.join()}`;
  return (await smsGateway.get<string[]>(path).catch(() => null)) ?? [];
}

async function republish(
  trx: Transaction<SchedulerDatabase>,
  dispatches: Dispatch[],
  now: Date,
): Promise<void> {
  const outgoing = await withReleasedContent(trx, dispatches);
  const batchIds = [...new Set(dispatches.flatMap((one) => one.batch_id ?? []))];
  for (const batch of await findBatches(trx, batchIds)) {
    const group = outgoing.filter((one) => one.dispatch.batch_id === batch.id);
    if (group.length > 0) await publishRelease(trx, batch, group, now);
  }
  for (const dispatch of dispatches) {
    const pauseMs = Math.min(outcomeTimeoutMs * 2 ** (dispatch.republished + 1), maxPauseMs);
    await markRepublished(trx, dispatch, new Date(now.getTime() + pauseMs));
  }
}

/** Returns dispatches with the content they were released with, or its newer version if none was sent yet. */
async function withReleasedContent(
  trx: Transaction<SchedulerDatabase>,
  dispatches: Dispatch[],
): Promise<Outgoing[]> {
  const messages = await findMessages(trx, [
    ...new Set(dispatches.flatMap((one) => one.scheduled_message_id ?? [])),
  ]);
  const templates = await findTemplates(trx, [
    ...new Set(dispatches.flatMap((one) => one.template_id ?? [])),
  ]);
  const contents = new Map([...messages, ...templates].map((one) => [one.id, one.content]));
  return dispatches.flatMap((dispatch) => {
    const { scheduled_message_id, template_id, windows } = dispatch;
    const content = contents.get(scheduled_message_id ?? template_id ?? '');
    return content === undefined || windows === null
      ? []
      : [{ dispatch, windows, content: { content, scheduled_message_id, template_id } }];
  });
}
