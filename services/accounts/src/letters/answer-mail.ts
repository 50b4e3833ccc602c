import type { Product } from '../deps.ts';
import { letterMailKey } from './letter-mail.ts';
import type { Answer, ConversationRow } from './letters.table.ts';

/** A mail names those that it goes on from, each on a line of its head. */
export const maxMessagesPerThread = 50;

export const answerMailKey = (answerId: string): string => `answer:${answerId}`;

/** An answer as a mail: in the thread of what was mailed before, its latest and its beginning, with what it answers below. */
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
    ...letters.map(({ id, created_at }) => ({ key: letterMailKey(id), created_at })),
    ...answers
      .filter((one) => one.sent_by === 'email')
      .map(({ id, created_at }) => ({ key: answerMailKey(id), created_at })),
  ].toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime());
  // Named like the letter that began it.
  const first = letterMailKey(conversation.id);
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
