import type { SupportMessageKind } from '@daylift/contracts/inbox.http';
import { queueMail } from '@daylift/mail/mail';
import type { Trx } from '../database.ts';
import type { AccountsDeps, Product } from '../deps.ts';
import type { SupportMessage } from './inbox.table.ts';

const origins: Record<SupportMessageKind, { tag: string; from: string }> = {
  support: { tag: 'Support', from: 'a subscriber' },
  contact: { tag: 'Contact', from: 'through the contact page' },
  reply: { tag: 'Text', from: 'by text' },
};

export const supportMailKey = (messageId: string): string => `letter:${messageId}`;

/** Emails a copy of each message to support; a reply to it goes to the sender if an address is known. */
export async function mailSupportMessage(
  trx: Trx,
  { product }: AccountsDeps,
  message: SupportMessage,
): Promise<void> {
  const { tag, from } = origins[message.kind];
  const sender = message.email ? `${message.name} <${message.email}>` : 'An unknown number';
  const head = [`From: ${sender}, ${from}`, `Subject: ${message.subject}`].join('\n');
  await queueMail(
    trx,
    {
      key: supportMailKey(message.id),
      to: product.supportEmail,
      ...(message.email && { replyTo: message.email }),
      userId: message.user_id ?? null,
      subject: `[${tag}] ${message.subject}`,
      text: `${head}\n\n${message.message}`,
    },
    new Date(message.created_at),
  );
}

/** Sent at the end of an hour with more replies by text than are emailed one by one. */
export const moreReplies = ({ supportEmail, adminUrl }: Product, count: number) => ({
  to: supportEmail,
  subject: count === 1 ? '[Text] 1 more reply by text' : `[Text] ${count} more replies by text`,
  text: [
    `${count} more ${count === 1 ? 'reply' : 'replies'} by text came in this hour, too many to email one by one.`,
    `Read all of them in the inbox: ${adminUrl}/admin/dashboard?tab=inbox`,
  ].join('\n'),
});
