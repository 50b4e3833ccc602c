import type { Words } from '@daylift/mail/compose-mail';
import type { Product } from '../deps.ts';
import { type Addressee, composeMail } from '../notices/words.ts';

/** Uses no name, because anyone may have entered the address. */
export const confirmEmail = (product: Product, url: string): Words =>
  composeMail(
    { name: '', email_proven_at: null },
    product,
    `Confirm your email for ${product.name}`,
    [
      `Someone used this address for a ${product.name} account. If that was you, please confirm it.`,
      `Confirm my email: ${url}`,
      "The link works for 7 days. You'll get your texts either way.",
      "If it wasn't you, open the link and choose \"I didn't sign up\", and we'll remove your address from that account. You can also ignore this email.",
    ],
  );

/** Sent to the old email, with a link that undoes the change. */
export const changeRequested = (
  user: Addressee,
  product: Product,
  field: 'email' | 'phone',
  url: string | null,
): Words => {
  const what = field === 'email' ? 'email address' : 'phone number';
  const undo =
    url === null
      ? [
          `If it wasn't you, sign in and change your password, then write to ${product.supportEmail}.`,
        ]
      : [
          "If it wasn't you, undo the change with the link below. It signs you out on all devices, asks for a new password, and works until 72 hours after the change takes effect.",
          `Undo the change: ${url}`,
          `Questions? Write to ${product.supportEmail}.`,
        ];
  return composeMail(user, product, `Your ${what} is being changed`, [
    `Someone asked to change the ${what} on your ${product.name} account, either while signed in or through our support team. If that was you, confirm the new ${what} and ignore this email.`,
    ...undo,
  ]);
};

/** Sent to a subscriber whose number someone else has confirmed. */
export const phoneLost = (user: Addressee, product: Product): Words =>
  composeMail(user, product, 'Your number is no longer on your account', [
    `We removed your number from your ${product.name} account because someone else confirmed it as theirs. To keep getting your texts, add a number in Settings. You can also cancel your plan.`,
    `My settings: ${product.publicUrl}/dashboard?tab=settings`,
  ]);
