import type {
  SupportThread,
  SupportThreads,
  SupportThreadsQuery,
} from '@daylift/contracts/inbox.http';
import type { Db } from '../database.ts';
import { findOwnConversations, type OwnConversation } from './own-messages.repository.ts';

const maxShown = 30;

/** Returns a subscriber's conversations with support, newest first, without staff-only data. */
export async function readOwnMessages(
  db: Db,
  userId: string,
  { before, limit }: SupportThreadsQuery,
): Promise<SupportThreads> {
  const found = await findOwnConversations(db, userId, {
    before,
    limit: limit + 1,
    maxMessages: maxShown + 1,
  });
  return { threads: found.slice(0, limit).map(threadOf), more: found.length > limit };
}

function threadOf({ id, subject, state, messages }: OwnConversation): SupportThread {
  const shown = messages.slice(0, maxShown).map((one) => ({
    ...one,
    created_at: new Date(one.created_at).toISOString(),
  }));
  const closed = state === 'closed' ? 'closed' : 'waiting';
  return {
    id,
    subject,
    status: shown[0]?.sender === 'support' ? 'answered' : closed,
    messages: shown,
    has_earlier: messages.length > maxShown,
  };
}
