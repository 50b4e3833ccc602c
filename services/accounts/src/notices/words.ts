import type { Product } from '../deps.ts';

export interface Words {
  subject: string;
  text: string;
}

/** A mail to a subscriber, with greeting and signature around its paragraphs. */
export function letterTo(
  user: { name: string },
  product: Product,
  subject: string,
  paragraphs: string[],
): Words {
  const signature = `${product.name}\nQuestions? Write to ${product.supportEmail}.`;
  return { subject, text: [`Hello ${user.name},`, ...paragraphs, signature].join('\n\n') };
}
