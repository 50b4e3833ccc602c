import type { Words } from '@daylift/mail/compose-mail';
import type { Product } from '../deps.ts';
import { type Addressee, composeMail } from '../notices/words.ts';

const rest = [
  "Your name, number and email address are removed from our systems. We keep only the payment records the law requires, and a one-way hash of your number that doesn't reveal who you are.",
  "You're welcome back anytime.",
];

export const goodbye = (user: Addressee, product: Product): Words =>
  composeMail(user, product, `Your ${product.name} account has been deleted`, [
    "As you asked, we've deleted your account. You won't get any more texts from us, and you won't be charged again.",
    ...rest,
  ]);

export const goodbyeByStaff = (user: Addressee, product: Product): Words =>
  composeMail(user, product, `Your ${product.name} account has been deleted`, [
    "We've deleted your account. You won't get any more texts from us, and you won't be charged again.",
    ...rest,
  ]);
