import { firstNameOf } from '@daylift/mail/first-name';
import type { Product } from '../deps.ts';
import type { User } from '../users/users.table.ts';
import type { Answer, ConversationRow } from './inbox.table.ts';
import { supportMailKey } from './message-mail.ts';

export const maxMessagesPerThread = 50;

export const answerMailKey = (answerId: string): string => `answer:${answerId}`;

/** Returns no greeting if the reply has its own, as saved replies may. */
const greetingFor = (name: string, message: string): string[] => {
  const first = firstNameOf(name);
  const greets = /^(hi|hello|hey|dear|good (morning|afternoon|evening))\b/i.test(message);
  return first === '' || greets ? [] : [`Hi ${first},`];
};

/** Builds the reply email, threaded with the latest and the first email and quoting what it replies to. */
export function answerMail({
  conversation,
  messages,
  answers,
  message,
  user,
  product,
}: {
  conversation: Pick<ConversationRow, 'id' | 'subject' | 'email'>;
  messages: { id: string; message: string; created_at: Date }[];
  answers: Answer[];
  message: string;
  user: Pick<User, 'name' | 'email' | 'email_proven_at'> | undefined;
  product: Product;
}): { subject: string; text: string; replyTo: string; thread: string[] } {
  const mailed = [
    ...messages.map(({ id, created_at }) => ({ key: supportMailKey(id), created_at })),
    ...answers
      .filter((one) => one.sent_by === 'email')
      .map(({ id, created_at }) => ({ key: answerMailKey(id), created_at })),
  ].toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime());
  // Derived from the first message's id.
  const first = supportMailKey(conversation.id);
  const later = mailed.map(({ key }) => key).filter((key) => key !== first);
  // An unconfirmed email may belong to a stranger.
  const isTheirs =
    user !== undefined && user.email_proven_at !== null && user.email === conversation.email;
  const quoted = (messages.at(-1)?.message ?? '').replaceAll(/^/gm, '> ');
  return {
    subject: /^re:/i.test(conversation.subject)
      ? conversation.subject
      : `Re: ${conversation.subject}`,
    text: [
      ...(isTheirs ? greetingFor(user.name, message) : []),
      message,
      `${product.name} support`,
      ...(isTheirs ? [`All your messages: ${product.publicUrl}/dashboard?tab=support`] : []),
      `You wrote:\n${quoted}`,
    ].join('\n\n'),
    replyTo: product.supportEmail,
    thread: [first, ...later.slice(1 - maxMessagesPerThread)],
  };
}
