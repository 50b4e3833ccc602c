import type { Words } from '@daylift/mail/compose-mail';
import type { Product } from '../deps.ts';
import { type Addressee, composeMail } from '../notices/words.ts';

export function passwordChanged(
  user: Addressee,
  product: Product,
  { endsChange }: { endsChange: boolean },
): Words {
  return composeMail(user, product, 'Your password was changed', [
    `The password for your ${product.name} account was just changed, and all other devices were signed out.`,
    ...(endsChange
      ? [
          "We also canceled a change to your phone or email that hadn't been confirmed yet. You can request it again in Settings.",
        ]
      : []),
    `If it wasn't you, set a new password right away (${product.publicUrl}/login) and contact ${product.supportEmail}.`,
  ]);
}
