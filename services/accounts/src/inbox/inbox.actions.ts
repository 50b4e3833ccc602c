import { accountsEvents } from '@daylift/contracts/accounts.events';
import type { AnswerRequest, CloseRequest } from '@daylift/contracts/inbox.http';
import { publish } from '@daylift/events/publish';
import { queueMail } from '@daylift/mail/mail';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import { NotFound } from '@daylift/server/error';
import { findAdmin, listAdmins } from '../admins/admins.repository.ts';
import type { Admin } from '../admins/admins.table.ts';
import { recordAudit } from '../audit-log/audit.ts';
import type { Db, Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import {
  AnswerTooLong,
  CannotAnswer,
  ConversationClosed,
  NoSuchAssignee,
  ReplyAlreadySent,
  UnreadMessage,
} from '../errors.ts';
import { findUser } from '../users/users.repository.ts';
import { emailRefusal } from './answer-by-email.ts';
import { answerClosesAt, textRefusal } from './answer-by-text.ts';
import { answerMail, answerMailKey, maxMessagesPerThread } from './answer-mail.ts';
import {
  findAnswer,
  findAnswers,
  findLastReplyAt,
  findMessages,
  insertAnswer,
  lockConversation,
  updateConversation,
} from './inbox.repository.ts';
import type { ConversationRow } from './inbox.table.ts';
import { readMessage } from './message-input.ts';

/** Longer texts aren't read on a phone, and each part costs. */
const maxTextLength = 640;
const noSuchConversation = () => new NotFound('Conversation not found.');

/** Sends one reply per key, however often it is requested. */
export async function answerConversation(
  deps: AccountsDeps,
  id: string,
  request: AnswerRequest,
  admin: ActingAdmin,
): Promise<void> {
  const now = deps.clock.now();
  const message = readMessage(request.text);
  if (request.by === 'text' && message.length > maxTextLength) throw new AnswerTooLong();
  await deps.db.transaction().execute(async (trx) => {
    const conversation = await lockConversation(trx, id);
    if (conversation === undefined) throw noSuchConversation();
    const earlier = await findAnswer(trx, request.idempotency_key);
    if (earlier !== undefined && earlier.conversation_id !== id)
      throw new CannotAnswer('This reply was already sent to someone else.');
    if (earlier !== undefined) {
      // The first response may have been lost, and the words changed since.
      if (earlier.message === message && earlier.sent_by === request.by) return;
      throw new ReplyAlreadySent();
    }
    if (conversation.state === 'closed') throw new ConversationClosed();
    const answer = { id: request.idempotency_key, message };
    if (request.by === 'email') await sendMail(trx, deps, { conversation, answer, now });
    else await sendText(trx, { conversation, answer, now });
    await insertAnswer(trx, {
      ...answer,
      conversation_id: id,
      sent_by: request.by,
      admin_id: admin.admin_id,
      admin_username: admin.username,
      created_at: now,
    });
    const byText = request.by === 'text' && { by_text: true };
    await updateConversation(trx, id, { answered_at: now, ...byText });
    await audit(
      trx,
      admin,
      { action: 'letter.answered', target: id, details: { by: request.by } },
      now,
    );
  });
}

interface Sending {
  conversation: ConversationRow;
  answer: { id: string; message: string };
  now: Date;
}

async function sendMail(
  trx: Trx,
  { product }: AccountsDeps,
  { conversation, answer, now }: Sending,
): Promise<void> {
  const { id, email, user_id } = conversation;
  const user = user_id === null ? undefined : await findUser(trx, user_id);
  const messages = await findMessages(trx, id, maxMessagesPerThread);
  const why = emailRefusal(conversation, messages, user);
  if (why !== null || email === null) throw new CannotAnswer(why ?? '');
  const answers = await findAnswers(trx, id, maxMessagesPerThread);
  const mail = answerMail({
    conversation,
    messages,
    answers,
    message: answer.message,
    user,
    product,
  });
  await queueMail(trx, { ...mail, key: answerMailKey(answer.id), to: email, userId: user_id }, now);
}

async function sendText(trx: Trx, { conversation, answer, now }: Sending): Promise<void> {
  const { user_id } = conversation;
  const user = user_id === null ? undefined : await findUser(trx, user_id);
  const lastReplyAt = user === undefined ? null : await findLastReplyAt(trx, user.id);
  const why = textRefusal(user, lastReplyAt, now);
  if (why !== null || user === undefined) throw new CannotAnswer(why ?? '');
  await publish(
    trx,
    accountsEvents,
    'accounts.answer.written',
    {
      answer_id: answer.id,
      user_id: user.id,
      content: answer.message,
      closes_at: answerClosesAt(user, now).toISOString(),
      at: now.toISOString(),
    },
    now,
  );
}

/** Idempotent. */
export async function setConversationState(
  deps: AccountsDeps,
  id: string,
  state: 'open' | 'closed',
  admin: ActingAdmin,
  { last_at }: CloseRequest = {},
): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    const conversation = await lockConversation(trx, id);
    if (conversation === undefined) throw noSuchConversation();
    if (conversation.state === state) return;
    if (last_at !== undefined && conversation.last_at > new Date(last_at))
      throw new UnreadMessage();
    const end =
      state === 'closed'
        ? { closed_at: now, closed_by: admin.username, needs_review: false, in_distress: false }
        : { closed_at: null, closed_by: null };
    await updateConversation(trx, id, { state, ...end });
    const action = state === 'closed' ? 'letter.closed' : 'letter.reopened';
    await audit(trx, admin, { action, target: id }, now);
  });
}

/** Idempotent. Null: assigned to no one. */
export async function assignConversation(
  deps: AccountsDeps,
  id: string,
  assignee_id: string | null,
  admin: ActingAdmin,
): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    const conversation = await lockConversation(trx, id);
    if (conversation === undefined) throw noSuchConversation();
    if (conversation.assignee_id === assignee_id) return;
    const assignee = assignee_id === null ? undefined : await findAdmin(trx, assignee_id);
    if (assignee_id !== null && !mayAnswer(assignee)) throw new NoSuchAssignee();
    await updateConversation(trx, id, { assignee_id });
    const to = assignee?.username ?? 'no one';
    await audit(trx, admin, { action: 'letter.assigned', target: id, details: { to } }, now);
  });
}

const mayAnswer = (admin: Admin | undefined): boolean =>
  admin?.is_active === true && admin.role !== 'viewer';

/** Returns the admins who may reply to conversations, by name. */
export async function listAssignees(db: Db): Promise<{ id: string; username: string }[]> {
  return (await listAdmins(db)).filter(mayAnswer).map(({ id, username }) => ({ id, username }));
}

const audit = (
  trx: Trx,
  { ip, request_id, ...actor }: ActingAdmin,
  adminAction: { action: string; target: string; details?: Record<string, unknown> },
  now: Date,
) => recordAudit(trx, now, { actor, ip, request_id, ...adminAction });
