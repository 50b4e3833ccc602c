import type { Product } from '../deps.ts';
import { letterTo, type Words } from '../notices/words.ts';
import { codePlace } from './code-mail.ts';

/** With the place of the code, which is filled in when the mail is sent. */
export function codeByMail(user: { name: string }, product: Product): Words {
  return letterTo(user, product, 'Your code to set a new password', [
    `Your code to set a new password for ${product.name} is ${codePlace}. It is good for 10 minutes and for one use.`,
    'If you did not ask for it, there is nothing to do: nobody can change your password without the code. We will never ask you for it.',
  ]);
}
