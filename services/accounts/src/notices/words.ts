import type { Product } from '../deps.ts';

export interface Words {
  subject: string;
  text: string;
}

/** An unconfirmed email may belong to a stranger, so mail to it doesn't use the name. */
export interface Addressee {
  name: string;
  email_proven_at?: Date | null;
}

/** Returns an email with greeting and signature. */
export function composeMail(
  user: Addressee,
  product: Product,
  subject: string,
  paragraphs: string[],
): Words {
  const greeting = user.email_proven_at === null ? 'Hello,' : `Hello ${user.name},`;
  const signature = `${product.name}\nQuestions? Write to ${product.supportEmail}.`;
  return { subject, text: [greeting, ...paragraphs, signature].join('\n\n') };
}
