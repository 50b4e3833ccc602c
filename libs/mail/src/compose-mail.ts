import { firstNameOf } from './first-name.ts';

export interface Words {
  subject: string;
  text: string;
}

/**
 * Returns an email with greeting and signature. `name` is null for an unproven address, which may belong to a
 * stranger. In HTML, a paragraph `Label: https://…` becomes a button or link, and lines `Label: value` become a table.
 */
export function composeMail(
  name: string | null,
  product: { name: string; supportEmail: string },
  subject: string,
  paragraphs: string[],
): Words {
  const first = name === null ? '' : firstNameOf(name);
  const greeting = first === '' ? 'Hello,' : `Hello ${first},`;
  const signature = `${product.name}\nQuestions? Write to ${product.supportEmail}.`;
  return { subject, text: [greeting, ...paragraphs, signature].join('\n\n') };
}
