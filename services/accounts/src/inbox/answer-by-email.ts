import type { User } from '../users/users.table.ts';
import type { ConversationRow } from './inbox.table.ts';

/**
 * Returns whether a text's words are the account's: anyone can type in a number that texts us, and one that can't be
 * reached may have a new owner.
 */
export const ownsNumber = (user: User | undefined, phone: string | null): user is User =>
  user !== undefined &&
  user.phone_proven_at !== null &&
  user.unreachable === null &&
  user.phone === phone;

/** Returns why a reply can't be emailed, in words for the admin, or null. An email quotes what it replies to. */
export function emailRefusal(
  conversation: Pick<ConversationRow, 'email' | 'phone'>,
  messages: { kind: string; email: string | null }[],
  user: User | undefined,
): string | null {
  if (conversation.email === null) return 'They have no email address on file.';
  const hasOthers = messages.some(({ kind, email }) => kind === 'reply' && email === null);
  if (user === undefined || !hasOthers) return null;
  return ownsNumber(user, conversation.phone ?? user.phone)
    ? null
    : "This account hasn't confirmed the number that texted, so the email may be someone else's. Reply by text.";
}
