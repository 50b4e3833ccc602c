import type { UnreachableReason } from '@daylift/contracts/fields';
import { whyUnreachable } from '@daylift/delivery/why-unreachable';
import type { Words } from '@daylift/mail/compose-mail';
import { shortPhone } from '@daylift/server/mask-contact';
import type { Product } from '../deps.ts';
import { composeMail } from '../notices/words.ts';
import type { User } from '../users/users.table.ts';

/** An unconfirmed address may belong to a stranger, so mail to it leaves out the number and the reason. */
export const unreachableMail = (user: User, product: Product, reason: UnreachableReason): Words => {
  const isProven = user.email_proven_at !== null && user.phone !== null;
  const number = isProven ? shortPhone(user.phone ?? '') : 'your number';
  const subject =
    reason === 'inactive' ? 'Please confirm your phone number' : "We can't reach your phone";
  const opening = reason === 'inactive' ? `Please confirm ${number}.` : `We can't reach ${number}.`;
  return composeMail(user, product, subject, [
    `${opening}${isProven ? ` ${whyUnreachable[reason]}` : ''} Your ${product.name} texts are paused until you confirm your number or change it.`,
    'Your plan continues and is billed as usual.',
    `Check my number: ${product.publicUrl}/dashboard?tab=settings`,
  ]);
};
