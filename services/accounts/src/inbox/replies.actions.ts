import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import type { InboundReply } from '@daylift/contracts/inbox.http';
import type { smsEvents } from '@daylift/contracts/sms.events';
import { readCrisis } from '@daylift/delivery/crisis';
import type { Static } from 'typebox';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { findUser } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import { ownsNumber } from './answer-by-email.ts';
import type { ReplyToFetch, SupportMessage } from './inbox.table.ts';
import { mailSupportMessage, moreReplies } from './message-mail.ts';
import { insertConversation, insertMessage, lockSenders } from './messages.repository.ts';
import {
  countReplies,
  findConversationByText,
  forgetReply,
  hasReply,
  insertReplyToFetch,
  reopenWithMessage,
  summarizeReplies,
} from './replies.repository.ts';

type Received = Static<(typeof smsEvents)['sms.reply.received']>;

/** Marks a reply to be fetched. There is nothing to fetch for a deleted sender. */
export async function expectReply(trx: Trx, reply: Received): Promise<void> {
  if (reply.user_id !== null && (await findUser(trx, reply.user_id)) === undefined) return;
  const { inbound_id, user_id, needs_review } = reply;
  await insertReplyToFetch(trx, {
    ...{ inbound_id, user_id, needs_review },
    received_at: new Date(reply.at),
    next_try_at: new Date(),
  });
}

const subject = 'Reply by text';

/** Adds a fetched reply to its conversation or starts one. Does nothing if it has been added or erased. */
export async function takeReply(
  deps: AccountsDeps,
  reply: ReplyToFetch,
  fetched: InboundReply,
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    if (!(await forgetReply(trx, reply.inbound_id))) return;
    if (await hasReply(trx, reply.inbound_id)) return;
    const user = reply.user_id === null ? undefined : await findUser(trx, reply.user_id);
    const sender = user?.id ?? fetched.from_number;
    await lockSenders(trx, [sender, allSenders]);
    const message = {
      id: randomUUID(),
      kind: 'reply' as const,
      user_id: user?.id ?? null,
      name: user?.name ?? null,
      email: ownsNumber(user, fetched.from_number) ? user.email : null,
      subject,
      message: fetched.content,
      address_hash: null,
      inbound_id: reply.inbound_id,
      needs_review: reply.needs_review,
      created_at: reply.received_at,
    };
    const conversation_id = await conversationFor(trx, { ...message, user, fetched });
    await insertMessage(trx, { ...message, conversation_id });
    await mailReply(trx, deps, { ...message, conversation_id });
  });
}

/** Anyone can text us, and each reply is an email to support. */
const emailsAnHour = { ofSender: 3, ofAll: 30 };
/** Senders are locked by this name too, so replies are counted one by one. */
const allSenders = 'replies';

/** Emails a stored reply to support. Beyond the limits, one email an hour says how many more came. */
async function mailReply(trx: Trx, deps: AccountsDeps, message: SupportMessage): Promise<void> {
  const since = new Date(new Date(message.created_at).getTime() - hourMs);
  const { ofSender, ofAll } = await countReplies(trx, message.conversation_id, since);
  if (ofSender <= emailsAnHour.ofSender && ofAll <= emailsAnHour.ofAll)
    return mailSupportMessage(trx, deps, message);
  await summarizeReplies(trx, deps.clock.now(), (count) => moreReplies(deps.product, count));
}

async function conversationFor(
  trx: Trx,
  message: { id: string; needs_review: boolean; created_at: Date } & {
    user: User | undefined;
    fetched: InboundReply;
  },
): Promise<string> {
  const { user, needs_review, created_at } = message;
  const { is_crisis: in_distress } = readCrisis(message.fetched.content);
  // A conversation needs an address for a reply, and an unconfirmed number is never forgotten.
  const isOwn = ownsNumber(user, message.fetched.from_number);
  const phone = isOwn && user.email !== null ? null : message.fetched.from_number;
  const known = await findConversationByText(
    trx,
    user === undefined ? { phone: message.fetched.from_number } : { user_id: user.id },
    created_at,
  );
  if (known !== undefined) {
    await reopenWithMessage(trx, known, { needs_review, in_distress, at: created_at, phone });
    return known;
  }
  await insertConversation(trx, {
    id: message.id,
    kind: 'reply',
    user_id: user?.id ?? null,
    name: user?.name ?? null,
    email: user?.email ?? null,
    phone,
    subject,
    needs_review,
    in_distress,
    by_text: true,
    last_at: created_at,
  });
  return message.id;
}
