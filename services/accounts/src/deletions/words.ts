import type { Product } from '../deps.ts';
import { type Addressee, letterTo, type Words } from '../notices/words.ts';

const rest = [
  'Your name, number and email address are removed from our systems. What stays is what the law has us keep of payments, and a scrambled mark of your number that tells no one who you are.',
  'You are welcome back at any time.',
];

export const goodbye = (user: Addressee, product: Product): Words =>
  letterTo(user, product, `Your ${product.name} account has been deleted`, [
    'As you asked, we have deleted your account. You will get no more texts from us, and nothing more is charged.',
    ...rest,
  ]);

export const goodbyeByStaff = (user: Addressee, product: Product): Words =>
  letterTo(user, product, `Your ${product.name} account has been deleted`, [
    'We have deleted your account. You will get no more texts from us, and nothing more is charged.',
    ...rest,
  ]);
