import { composeMail as compose, type Words } from '@daylift/mail/compose-mail';
import type { Product } from '../deps.ts';

/** An unconfirmed email may belong to a stranger, so mail to it doesn't use the name. */
export interface Addressee {
  name: string;
  email_proven_at?: Date | null;
}

export const composeMail = (
  user: Addressee,
  product: Product,
  subject: string,
  paragraphs: string[],
): Words => compose(user.email_proven_at === null ? null : user.name, product, subject, paragraphs);
