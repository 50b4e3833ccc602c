import type { Product } from '../deps.ts';
import { letterTo, type Words } from '../notices/words.ts';

/** Of the number only its end: mail is read on many screens. */
export const numberChanged = (user: { name: string; phone: string }, product: Product): Words =>
  letterTo(user, product, 'Your phone number was changed', [
    `The phone number of your ${product.name} account was changed just now, to one that ends in ${user.phone.slice(-2)}. It gets nothing of the day from us until it has replied YES.`,
    `If that was not you, set a new password at once (${product.publicUrl}/login), for which a code comes to this address, and write to ${product.supportEmail}.`,
  ]);
