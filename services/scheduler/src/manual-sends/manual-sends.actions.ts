import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ManualSendResult } from '@daylift/contracts/scheduler.http';
import { localDateAt } from '@daylift/delivery/send-windows';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { Kysely } from 'kysely';
import { forgetAnnouncementPlan } from '../announcements/announcements.actions.ts';
import { findMessagesOfDates } from '../contents/content-choice.repository.ts';
import { findMessage, lockMessage, markSentEarly } from '../contents/contents.repository.ts';
import type { ScheduledMessage } from '../contents/contents.table.ts';
import type { SchedulerDatabase } from '../database.ts';
import type { SchedulerDeps } from '../deps.ts';
import { AlreadySent, NoMessageToday, NoSuchMessage, OtherMessageToday } from '../errors.ts';
import { fanOutPage } from './fan-out.ts';
import { countByState, createManualSend, findManualSend } from './manual-sends.repository.ts';
import type { ManualSend } from './manual-sends.table.ts';
import { isEarly } from './preview.ts';

/** Wall clock; a message created a moment ago may not have arrived here yet. */
const arrivalMs = 1_500;
const pollMs = 100;

/** Returns the message with this id. */
export async function getMessage(
  db: Kysely<SchedulerDatabase>,
  id: string,
): Promise<ScheduledMessage> {
  const message = await arrives(() => findMessage(db, id));
  if (message === undefined || message.is_deleted) throw new NoSuchMessage();
  return message;
}

/**
 * Returns the message of the operator's own date, unless it was sent at its own hours already or isn't the `previewed`
 * one: midnight or another operator may have come between.
 */
export async function getTodaysMessage(
  deps: SchedulerDeps,
  previewed?: string,
): Promise<ScheduledMessage> {
  const today = localDateAt(deps.clock.now(), deps.operatorTimezone);
  const message = await arrives(async () => (await findMessagesOfDates(deps.db, [today]))[0]);
  if (message === undefined) throw new NoMessageToday();
  if (previewed !== undefined && message.id !== previewed) throw new OtherMessageToday();
  if (message.completed_at !== null && (await findManualSend(deps.db, message.id)) === undefined)
    throw new AlreadySent();
  return message;
}

/**
 * Sends a message now to everyone who may receive and has had nothing for their local date, and waits a while for the
 * outcome. A message has at most one manual send: repeated requests return the same one.
 */
export async function sendByStaff(
  deps: SchedulerDeps,
  message: ScheduledMessage,
  holdQuietHours: boolean,
  by: ActingAdmin,
): Promise<ManualSendResult> {
  const { db, clock } = deps;
  const send = await db.transaction().execute(async (trx) => {
    await lockMessage(trx, message.id);
    // Queried rather than detected by conflict: an insert would wait for the fan-out, which waits for the message.
    const existing = await findManualSend(trx, message.id);
    if (existing !== undefined) return existing;
    await forgetAnnouncementPlan(trx, message.id);
    if (isEarly(message, clock.now(), deps.operatorTimezone)) await markSentEarly(trx, message.id);
    const details = { title: message.title, hold_quiet_hours: holdQuietHours };
    const adminAction = { action: 'message.sent_now', target: message.id, details };
    await publishAdminAction(trx, 'scheduler', by, adminAction, clock.now());
    return createManualSend(trx, {
      id: randomUUID(),
      scheduled_message_id: message.id,
      batch_id: randomUUID(),
      hold_quiet_hours: holdQuietHours,
      requested_at: clock.now(),
    });
  });
  return waitForOutcome(deps, message, send);
}

async function waitForOutcome(
  deps: SchedulerDeps,
  message: ScheduledMessage,
  send: ManualSend,
): Promise<ManualSendResult> {
  const deadline = Date.now() + deps.manualSendWaitMs;
  // The loop finishes what is left at the deadline.
  while ((await fanOutPage(deps, send.id)) > 0 && Date.now() < deadline);
  for (;;) {
    const { settled, result } = await readResult(deps.db, message);
    if (settled || Date.now() >= deadline) return result;
    await delay(pollMs);
  }
}

async function readResult(
  db: Kysely<SchedulerDatabase>,
  message: ScheduledMessage,
): Promise<{ settled: boolean; result: ManualSendResult }> {
  const send = await findManualSend(db, message.id);
  if (send === undefined) throw new NoSuchMessage();
  const states = await countByState(db, send.id);
  const count = (state: keyof typeof states) => states[state] ?? 0;
  return {
    settled: send.finished_at !== null && count('released') === 0,
    result: {
      scheduled_message_title: message.title,
      total_recipients: send.total,
      successful_sends: count('accepted'),
      failed_sends: count('refused') + count('missed'),
      // An unknown outcome is not a failure.
      pending: count('released') + count('unknown'),
      held: count('planned'),
      batch_id: send.batch_id,
    },
  };
}

async function arrives<T>(find: () => Promise<T | undefined>): Promise<T | undefined> {
  const deadline = Date.now() + arrivalMs;
  for (;;) {
    const found = await find();
    if (found !== undefined || Date.now() >= deadline) return found;
    await delay(pollMs);
  }
}
