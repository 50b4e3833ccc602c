import type { LibraryTemplate, ScheduledContent } from '@daylift/contracts/content.events';
import type { Transaction } from 'kysely';
import { forgetAnnouncementPlan } from '../announcements/announcements.actions.ts';
import type { SchedulerDatabase } from '../database.ts';
import { deleteMessage, saveMessage, saveTemplate } from './contents.repository.ts';

type Trx = Transaction<SchedulerDatabase>;

/** Content is chosen when a text is due; only an announcement is planned ahead, and so planned anew. */
export async function messageScheduled(trx: Trx, data: ScheduledContent): Promise<void> {
  if (await saveMessage(trx, data)) await forgetAnnouncementPlan(trx, data.id);
}

export async function messageDeleted(trx: Trx, data: { id: string }): Promise<void> {
  await deleteMessage(trx, data.id);
  await forgetAnnouncementPlan(trx, data.id);
}

export const templateChanged = (trx: Trx, data: LibraryTemplate): Promise<void> =>
  saveTemplate(trx, data);
