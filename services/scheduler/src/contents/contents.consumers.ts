import type { LibraryTemplate, ScheduledContent } from '@daylift/contracts/content.events';
import type { Transaction } from 'kysely';
import { forgetAnnouncementPlan } from '../announcements/announcements.actions.ts';
import type { SchedulerDatabase } from '../database.ts';
import { findStaffSend } from '../staff-sends/staff-sends.repository.ts';
import {
  deleteMessage,
  lockMessage,
  publishCompleted,
  reopenMessage,
  saveMessage,
  saveTemplate,
} from './contents.repository.ts';

type Trx = Transaction<SchedulerDatabase>;

/** Content is chosen when a text is due; only an announcement is planned ahead, and so planned anew. */
export async function messageScheduled(trx: Trx, data: ScheduledContent): Promise<void> {
  const before = await lockMessage(trx, data.id);
  if ((await saveMessage(trx, data)) !== 'changed') return;
  await forgetAnnouncementPlan(trx, data.id);
  const completedAt = before?.completed_at ?? null;
  if (completedAt !== null) await applyLateChange(trx, data, completedAt);
}

/**
 * A message was changed by somebody who had not heard yet that it is sent. A staff send is made once, so its end is told
 * once more, of the version that there is now. Otherwise it goes to those whom it has not reached.
 */
async function applyLateChange(trx: Trx, message: ScheduledContent, completedAt: Date) {
  if ((await findStaffSend(trx, message.id)) === undefined) await reopenMessage(trx, message.id);
  else await publishCompleted(trx, message, completedAt);
}

export async function messageDeleted(trx: Trx, data: { id: string }): Promise<void> {
  await deleteMessage(trx, data.id);
  await forgetAnnouncementPlan(trx, data.id);
}

export const templateChanged = (trx: Trx, data: LibraryTemplate): Promise<void> =>
  saveTemplate(trx, data);
