import type { Product } from '../deps.ts';

export interface Words {
  subject: string;
  text: string;
}

/** An email that is not proven may be a stranger's, who is not addressed by a name that someone else chose. */
export interface Addressee {
  name: string;
  email_proven_at?: Date | null;
}

/** A mail to a subscriber, with greeting and signature around its paragraphs. */
export function letterTo(
  user: Addressee,
  product: Product,
  subject: string,
  paragraphs: string[],
): Words {
  const greeting = user.email_proven_at === null ? 'Hello,' : `Hello ${user.name},`;
  const signature = `${product.name}\nQuestions? Write to ${product.supportEmail}.`;
  return { subject, text: [greeting, ...paragraphs, signature].join('\n\n') };
}
