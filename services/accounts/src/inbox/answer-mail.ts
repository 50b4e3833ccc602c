import type { Product } from '../deps.ts';
import type { Answer, ConversationRow } from './inbox.table.ts';
import { supportMailKey } from './message-mail.ts';

export const maxMessagesPerThread = 50;

export const answerMailKey = (answerId: string): string => `answer:${answerId}`;

/** Builds the reply email, threaded with the latest and the first email and quoting what it replies to. */
export function answerMail({
  conversation,
  letters,
  answers,
  message,
  product,
}: {
  conversation: Pick<ConversationRow, 'id' | 'subject'>;
  letters: { id: string; message: string; created_at: Date }[];
  answers: Answer[];
  message: string;
  product: Product;
}): { subject: string; text: string; replyTo: string; thread: string[] } {
  const mailed = [
    ...letters.map(({ id, created_at }) => ({ key: supportMailKey(id), created_at })),
    ...answers
      .filter((one) => one.sent_by === 'email')
      .map(({ id, created_at }) => ({ key: answerMailKey(id), created_at })),
  ].toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime());
  // Derived from the first message's id.
  const first = supportMailKey(conversation.id);
  const later = mailed.map(({ key }) => key).filter((key) => key !== first);
  const quoted = (letters.at(-1)?.message ?? '').replaceAll(/^/gm, '> ');
  return {
    subject: /^re:/i.test(conversation.subject)
      ? conversation.subject
      : `Re: ${conversation.subject}`,
    text: `${message}\n\n${product.name} support\n\nYou wrote:\n${quoted}`,
    replyTo: product.supportEmail,
    thread: [first, ...later.slice(1 - maxMessagesPerThread)],
  };
}
