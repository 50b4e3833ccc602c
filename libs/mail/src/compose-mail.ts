export interface Words {
  subject: string;
  text: string;
}

/**
 * Returns an email with greeting and signature. `name` is null for an unproven address, which may belong to a
 * stranger.
 */
export function composeMail(
  name: string | null,
  product: { name: string; supportEmail: string },
  subject: string,
  paragraphs: string[],
): Words {
  const greeting = name === null ? 'Hello,' : `Hello ${name},`;
  const signature = `${product.name}\nQuestions? Write to ${product.supportEmail}.`;
  return { subject, text: [greeting, ...paragraphs, signature].join('\n\n') };
}
