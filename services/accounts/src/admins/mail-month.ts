import type { billingEvents } from '@daylift/contracts/billing.events';
import { queueMail } from '@daylift/mail/mail';
import type { Static } from 'typebox';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { findOwnerEmails } from './admins.repository.ts';
import { monthWords } from './words.ts';

/** Emails a month's figures to every owner with an address, or else to the support address. */
export async function mailMonth(
  trx: Trx,
  { month, figures }: Static<(typeof billingEvents)['billing.month.closed']>,
  { product, clock }: Pick<AccountsDeps, 'product' | 'clock'>,
): Promise<void> {
  const owners = new Set(await findOwnerEmails(trx));
  const words = monthWords(month, figures, product);
  for (const to of owners.size === 0 ? [product.supportEmail] : owners)
    await queueMail(trx, { key: `month:${month}:${to}`, to, ...words }, clock.now());
}
