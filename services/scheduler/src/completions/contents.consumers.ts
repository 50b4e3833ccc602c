import type {
  LibraryTemplate,
  ScheduledContent,
  SequenceText,
} from '@daylift/contracts/content.events';
import type { Transaction } from 'kysely';
import { forgetAnnouncementPlan } from '../announcements/announcements.actions.ts';
import {
  deleteMessage,
  lockMessage,
  publishCompleted,
  reopenMessage,
  saveMessage,
  saveSequenceText,
  saveTemplate,
} from '../contents/contents.repository.ts';
import type { SchedulerDatabase } from '../database.ts';
import { findManualSend, reopenManualSend } from '../manual-sends/manual-sends.repository.ts';

type Trx = Transaction<SchedulerDatabase>;

/** Content is chosen when a text is due. Only announcements are planned ahead, so only they are planned again. */
export async function messageScheduled(trx: Trx, data: ScheduledContent): Promise<void> {
  const before = await lockMessage(trx, data.id);
  if ((await saveMessage(trx, data)) !== 'changed') return;
  await forgetAnnouncementPlan(trx, data.id);
  const completedAt = before?.completed_at ?? null;
  if (completedAt !== null)
    await applyLateChange(trx, { ...data, sent_early: before?.sent_early ?? false }, completedAt);
}

/**
 * Handles a change made before its author heard that the message was sent. A manual send happens once, so its
 * completion is published again for the new version. Any other message goes to those whom it has not reached.
 */
async function applyLateChange(
  trx: Trx,
  message: ScheduledContent & { sent_early: boolean },
  completedAt: Date,
) {
  if ((await findManualSend(trx, message.id)) === undefined) await reopenMessage(trx, message.id);
  else await publishCompleted(trx, message, completedAt);
}

/** Its manual send is reopened, to be stopped. Locked first, as in the fan-out, which then locks the message. */
export async function messageDeleted(trx: Trx, data: { id: string }): Promise<void> {
  await reopenManualSend(trx, data.id);
  await deleteMessage(trx, data.id);
  await forgetAnnouncementPlan(trx, data.id);
}

export const templateChanged = (trx: Trx, data: LibraryTemplate): Promise<void> =>
  saveTemplate(trx, data);

export const sequenceChanged = (trx: Trx, data: SequenceText): Promise<void> =>
  saveSequenceText(trx, data);
