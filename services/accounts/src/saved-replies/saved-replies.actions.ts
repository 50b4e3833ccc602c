import type { SavedReplyRequest } from '@daylift/contracts/inbox.http';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { AccountsDeps } from '../deps.ts';
import { NoSuchSavedReply, TooManySavedReplies } from '../errors.ts';
import { recordAdminAction } from '../managed-users/record-action.ts';
import {
  countSavedReplies,
  deleteSavedReply,
  hasSavedReply,
  maxSavedReplies,
  putSavedReply,
} from './saved-replies.repository.ts';

/** Idempotent: the page chooses the id. */
export async function createSavedReply(
  deps: AccountsDeps,
  { id, ...words }: SavedReplyRequest & { id: string },
  by: ActingAdmin,
): Promise<void> {
  await store(deps, { id, ...words }, by, 'saved_reply.created');
}

export async function updateSavedReply(
  deps: AccountsDeps,
  id: string,
  words: SavedReplyRequest,
  by: ActingAdmin,
): Promise<void> {
  await store(deps, { id, ...words }, by, 'saved_reply.changed');
}

async function store(
  { db, clock }: AccountsDeps,
  { id, title, content }: SavedReplyRequest & { id: string },
  by: ActingAdmin,
  action: 'saved_reply.created' | 'saved_reply.changed',
): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (trx) => {
    const isKnown = await hasSavedReply(trx, id);
    if (action === 'saved_reply.changed' && !isKnown) throw new NoSuchSavedReply();
    if (action === 'saved_reply.created') {
      if (isKnown) return;
      if ((await countSavedReplies(trx)) >= maxSavedReplies)
        throw new TooManySavedReplies(maxSavedReplies);
    }
    const row = { title: title.trim(), content: content.trim() };
    await putSavedReply(trx, { id, ...row, changed_at: now, changed_by: by.username });
    await recordAdminAction(trx, by, { action, target: id, details: { title: row.title } }, now);
  });
}

export async function removeSavedReply(
  { db, clock }: AccountsDeps,
  id: string,
  by: ActingAdmin,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await deleteSavedReply(trx, id))) throw new NoSuchSavedReply();
    await recordAdminAction(trx, by, { action: 'saved_reply.deleted', target: id }, clock.now());
  });
}
