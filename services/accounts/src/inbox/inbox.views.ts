import type {
  AnswerStatus,
  AnswerTexts,
  Conversation,
  InboxFlag,
  InboxItem,
  InboxPage,
  InboxQuery,
} from '@daylift/contracts/inbox.http';
import { maxAttempts } from '@daylift/mail/mail';
import { NotFound } from '@daylift/server/error';
import { maskEmail, maskPhone, withoutContacts } from '@daylift/server/mask-contact';
import type { AccountsDeps } from '../deps.ts';
import { findByProvenEmail, findUser } from '../users/users.repository.ts';
import { emailRefusal } from './answer-by-email.ts';
import { textRefusal } from './answer-by-text.ts';
import { answerMailKey } from './answer-mail.ts';
import {
  type ConversationView,
  countOpen,
  findAnswers,
  findConversation,
  findLastReplyAt,
  findMails,
  findMessages,
  findOthers,
  listConversations,
} from './inbox.repository.ts';
import type { Answer } from './inbox.table.ts';
import { flagsOf } from './message-flags.ts';

const previewLength = 160;
const maxOthers = 10;
const maxShown = 200;
const wordsFor = (masked: boolean, words: string): string =>
  masked ? withoutContacts(words) : words;

const withStop = <T extends { needs_review: boolean }>(one: T) => ({
  ...one,
  isStop: one.needs_review,
});

/** Flags of the latest message, and distress until the conversation is closed. */
function flagsOfConversation({ latest, in_distress }: ConversationView): InboxFlag[] {
  const flags = latest === null ? [] : flagsOf(withStop(latest));
  return in_distress && !flags.includes('distress') ? ['distress', ...flags] : flags;
}

function itemOf(row: ConversationView, masked: boolean): InboxItem {
  const phone = row.user_phone ?? row.phone;
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    subject: wordsFor(masked, row.subject),
    preview: wordsFor(masked, row.latest?.message ?? '').slice(0, previewLength),
    name: row.name,
    email: row.email !== null && masked ? maskEmail(row.email) : row.email,
    phone: phone !== null && masked ? maskPhone(phone) : phone,
    user_id: row.user_id,
    needs_review: row.needs_review,
    flags: flagsOfConversation(row),
    assignee:
      row.assignee_id === null ? null : { id: row.assignee_id, username: row.assignee ?? '' },
    last_at: row.last_at.toISOString(),
    answered_at: row.answered_at?.toISOString() ?? null,
  };
}

export async function readInbox(
  db: AccountsDeps['db'],
  query: InboxQuery,
  masked: boolean,
): Promise<InboxPage> {
  const [rows, open] = await Promise.all([
    listConversations(db, { ...query, masked }),
    countOpen(db),
  ]);
  const items = rows.slice(0, query.limit).map((row) => itemOf(row, masked));
  return { items, more: rows.length > query.limit, open };
}

export async function readConversation(
  deps: AccountsDeps,
  id: string,
  masked: boolean,
): Promise<Conversation> {
  const { db, clock } = deps;
  const row = await findConversation(db, id);
  if (row === undefined) throw new NotFound('Conversation not found.');
  const isVisitor = row.user_id === null && row.email !== null;
  const [messages, answers, others, user, lastReplyAt, subscriber] = await Promise.all([
    findMessages(db, row.id, maxShown + 1),
    findAnswers(db, row.id, maxShown + 1),
    findOthers(db, row, maxOthers),
    row.user_id === null ? undefined : findUser(db, row.user_id),
    row.user_id === null ? null : findLastReplyAt(db, row.user_id),
    isVisitor ? findByProvenEmail(db, row.email ?? '') : null,
  ]);
  const shown = answers.slice(-maxShown);
  const statuses = await statusesOf(deps, shown);
  return {
    ...itemOf(row, masked),
    letters: messages.slice(-maxShown).map((one) => ({
      ...one,
      message: wordsFor(masked, one.message),
      flags: flagsOf(withStop(one)),
      created_at: one.created_at.toISOString(),
    })),
    answers: shown.map(({ id, sent_by, message, admin_username, created_at }) => ({
      id,
      by: sent_by,
      text: wordsFor(masked, message),
      admin: admin_username,
      created_at: created_at.toISOString(),
      status: statuses.get(id) ?? 'queued',
    })),
    has_earlier: messages.length > maxShown || answers.length > maxShown,
    closed_at: row.closed_at?.toISOString() ?? null,
    closed_by: row.closed_by,
    refusals: {
      email: emailRefusal(row, messages, user),
      text: textRefusal(user, lastReplyAt, clock.now()),
    },
    subscriber: subscriber ?? null,
    others: others.map((one) => itemOf(one, masked)),
  };
}

/** Emails are sent from here, texts by sms-gateway; their status is unknown while it doesn't respond. */
async function statusesOf(
  deps: AccountsDeps,
  answers: Answer[],
): Promise<Map<string, AnswerStatus>> {
  const mails = answers.filter((one) => one.sent_by === 'email');
  const texts = answers.filter((one) => one.sent_by === 'text');
  const [mailed, texted] = await Promise.all([
    findMails(
      deps.db,
      mails.map(({ id }) => answerMailKey(id)),
    ),
    texts.length === 0
      ? []
      : deps.exportParts.smsGateway
          .get<AnswerTexts>(`/internal/answers?ids=${texts.map(({ id }) => id).join(',')}`)
          .catch(() => null),
  ]);
  const ofMails = mails.map(({ id }) => {
    const mail = mailed.find((one) => one.key === answerMailKey(id));
    return [id, statusOfMail(mail)] as const;
  });
  const ofTexts =
    texted === null
      ? texts.map(({ id }) => [id, 'unknown'] as const)
      : texted.map(({ id, status }) => [id, status] as const);
  return new Map<string, AnswerStatus>([...ofMails, ...ofTexts]);
}

function statusOfMail(
  mail: Awaited<ReturnType<typeof findMails>>[number] | undefined,
): AnswerStatus {
  if (mail === undefined) return 'unknown';
  if (mail.sent_at !== null) return 'sent';
  return mail.discarded_at !== null || mail.tries >= maxAttempts ? 'failed' : 'queued';
}
