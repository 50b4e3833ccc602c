import type { Product } from '../deps.ts';
import { type Addressee, letterTo, type Words } from '../notices/words.ts';
import { codePlace } from './code-mail.ts';
import type { OneTimeCode } from './one-time-codes.table.ts';

/** With the place of the code, which is filled in when the mail is sent. */
export function codeByMail(
  user: Addressee,
  product: Product,
  purpose: OneTimeCode['purpose'],
): Words {
  const what = purpose === 'change' ? 'change your phone or email' : 'set a new password';
  return letterTo(user, product, `Your code to ${what}`, [
    `Your code to ${what} for ${product.name} is ${codePlace}. It is good for 10 minutes and for one use.`,
    `If you did not ask for it, there is nothing to do: no one can ${what} without the code. We will never ask you for it.`,
  ]);
}
