import type { Words } from '@daylift/mail/compose-mail';
import type { Product } from '../deps.ts';
import { type Addressee, composeMail } from '../notices/words.ts';
import { codePlace } from './code-mail.ts';
import type { OneTimeCode } from './one-time-codes.table.ts';

/** Returns the email with a placeholder for the code, which is filled in when it is sent. */
export function codeByMail(
  user: Addressee,
  product: Product,
  purpose: OneTimeCode['purpose'],
): Words {
  const what = purpose === 'change' ? 'change your phone or email' : 'set a new password';
  return composeMail(user, product, `Your code to ${what}`, [
    `Your code to ${what} for ${product.name} is ${codePlace}. It works once, within 10 minutes.`,
    `If you didn't request it, you can ignore this email: no one can ${what} without the code. Don't share it with anyone.`,
  ]);
}
