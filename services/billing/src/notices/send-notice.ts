import type { Words } from '@daylift/mail/compose-mail';
import { queueMail } from '@daylift/mail/mail';
import { findCustomer } from '../customers/customers.repository.ts';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import type { Addressee } from './words.ts';

/** Queues an email in the transaction of the change that it reports. Sent once per `key`. */
export async function sendNotice(
  trx: Trx,
  { clock, product }: Pick<BillingDeps, 'clock' | 'product'>,
  userId: string,
  key: string,
  write: (to: Addressee) => Words,
): Promise<void> {
  const customer = await findCustomer(trx, userId);
  if (customer === undefined || customer.email === '') return;
  const words = write({ product, customer });
  await queueMail(trx, { key, to: customer.email, userId, ...words }, clock.now());
}
