import type { Product } from '../deps.ts';
import { type Addressee, letterTo, type Words } from '../notices/words.ts';

export function passwordChanged(user: Addressee, product: Product): Words {
  return letterTo(user, product, 'Your password was changed', [
    `The password of your ${product.name} account was changed just now, and all other devices were signed out.`,
    `If that was not you, set a new one at once (${product.publicUrl}/login) and write to ${product.supportEmail}.`,
  ]);
}
