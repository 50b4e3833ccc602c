import { manualSendWindow } from '@daylift/delivery/send-windows';
import type { Transaction } from 'kysely';
import { completeMessage, findMessage } from '../contents/contents.repository.ts';
import type { ScheduledMessage } from '../contents/contents.table.ts';
import type { SchedulerDatabase } from '../database.ts';
import type { SchedulerDeps } from '../deps.ts';
import { manualSendBatch } from '../dispatches/batch-names.ts';
import { countedUpTo, ensureBatch } from '../dispatches/batches.repository.ts';
import { type NewDispatch, planDispatches } from '../dispatches/dispatches.repository.ts';
import type { Dispatch } from '../dispatches/dispatches.table.ts';
import { countRelease } from '../dispatches/due-metrics.ts';
import { handOver, type Outgoing } from '../dispatches/release.actions.ts';
import {
  claimUnfinished,
  findHeldUsers,
  finishManualSend,
  recordProgress,
} from './manual-sends.repository.ts';
import type { ManualSend } from './manual-sends.table.ts';
import { countRecipients, findRecipients, kindOf, type ManualSendRecipient } from './recipients.ts';
import { withdrawHeld } from './withdraw-held.ts';

type Trx = Transaction<SchedulerDatabase>;
type Deps = Pick<SchedulerDeps, 'db' | 'clock' | 'batchSize' | 'operatorTimezone' | 'spreadMs'>;

const heldPerPage = 200;

/**
 * Processes one page of a manual send in one transaction with its cursor, so after a crash and on any number of
 * replicas no one is skipped and no one is taken twice. Returns the number of pages processed: 0 if none is left or
 * another process holds it.
 */
export async function fanOutPage(deps: Deps, manualSendId?: string): Promise<number> {
  const { db, clock, batchSize, operatorTimezone } = deps;
  const now = clock.now();
  const outgoing: Dispatch[] = [];
  const pages = await db.transaction().execute(async (trx) => {
    const send = await claimUnfinished(trx, manualSendId);
    if (send === undefined) return 0;
    const message = await findMessage(trx, send.scheduled_message_id);
    if (message === undefined) throw new Error('manual send has no message');
    if (message.is_deleted) {
      await stopPage(trx, deps, send);
      return 1;
    }
    const page = await findRecipients(trx, message, send.after_user_id, now, { lock: true });
    const taken = await takeRecipients(trx, {
      send,
      message,
      recipients: page.recipients,
      now,
      batchSize,
      operatorTimezone,
      outgoing,
    });
    if (page.next !== null) {
      await recordProgress(trx, send.id, { after_user_id: page.next, taken });
      return 1;
    }
    await recordProgress(trx, send.id, { after_user_id: send.after_user_id, taken });
    await finish(trx, send, now);
    return 1;
  });
  countRelease({ outgoing, ended: [] });
  return pages;
}

interface Page {
  send: ManualSend;
  message: ScheduledMessage;
  recipients: ManualSendRecipient[];
  now: Date;
  batchSize: number;
  operatorTimezone: string;
  /** Collects what is released immediately. */
  outgoing: Dispatch[];
}

/** Returns how many of the page were taken, without those whose daily text was just released. */
async function takeRecipients(trx: Trx, page: Page): Promise<number> {
  const { send, recipients } = page;
  const held = send.hold_quiet_hours ? recipients.filter((one) => one.is_quiet) : [];
  const now = send.hold_quiet_hours ? recipients.filter((one) => !one.is_quiet) : recipients;
  return (await hold(trx, page, held)) + (await sendNow(trx, page, now));
}

/** They get it at 08:00 local time; it uses the date at that time. */
async function hold(trx: Trx, page: Page, held: ManualSendRecipient[]): Promise<number> {
  const rows = held.map((one) => ({
    ...dispatchOf(page.message, one),
    local_date: one.morning.local_date,
    due_at: one.morning.at,
  }));
  return (await plan(trx, page, rows)).length;
}

async function sendNow(trx: Trx, page: Page, recipients: ManualSendRecipient[]): Promise<number> {
  const { send, message, now, batchSize, operatorTimezone } = page;
  const rows = recipients.map((one) => ({
    ...dispatchOf(message, one),
    local_date: one.local_date,
    due_at: now,
  }));
  const outgoing = (await plan(trx, page, rows)).map(
    (dispatch): Outgoing => ({
      dispatch,
      windows: [manualSendWindow(now, dispatch.timezone)],
      content: { content: message.content, scheduled_message_id: message.id, template_id: null },
    }),
  );
  const created = { now: send.requested_at, operatorTimezone };
  // This page is already planned, so it isn't counted again.
  const batch = await ensureBatch(trx, manualSendBatch(send.batch_id, message, created), async () =>
    Math.min(countedUpTo, rows.length + (await countRecipients(trx, message, now, countedUpTo))),
  );
  await handOver(trx, batch, outgoing, { now, batchSize });
  page.outgoing.push(...outgoing.map(({ dispatch }) => dispatch));
  return outgoing.length;
}

const dispatchOf = (message: ScheduledMessage, one: ManualSendRecipient) => ({
  user_id: one.user_id,
  kind: kindOf(message),
  timezone: one.timezone,
  scheduled_message_id: message.id,
});

const plan = (trx: Trx, { send }: Page, rows: NewDispatch[]) =>
  planDispatches(trx, rows, { manualSendId: send.id, overPlanned: true });

async function finish(trx: Trx, send: ManualSend, now: Date): Promise<void> {
  await finishManualSend(trx, send.id, now);
  await completeMessage(trx, send.scheduled_message_id, now);
}

/** Stops a send whose message was deleted: no one else gets it, and held texts are withdrawn page by page. */
async function stopPage(trx: Trx, deps: Deps, send: ManualSend): Promise<void> {
  const held = await findHeldUsers(trx, send.id, heldPerPage);
  await withdrawHeld(trx, deps, send.id, held);
  if (held.length === 0) await finishManualSend(trx, send.id, deps.clock.now());
}
