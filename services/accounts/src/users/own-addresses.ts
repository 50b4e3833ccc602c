import type { Kysely } from 'kysely';
import type { AccountsDatabase } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { OwnAddress } from '../errors.ts';
import { canonicalEmail } from './email-address.ts';

/** Returns the mailbox of `Support <support+x@example.com>`; a plus tag leads to the same one. */
const mailboxOf = (address: string): string =>
  canonicalEmail(/<(.*)>/.exec(address)?.[1] ?? address).replace(/\+.*@/, '@');

/** Refuses addresses at which the product or its operators receive mail. */
export async function refuseOwnAddress(
  { db, product }: Pick<AccountsDeps, 'db' | 'product'>,
  email: string,
): Promise<void> {
  const mailbox = mailboxOf(email);
  const ours = [product.supportEmail, product.mailFrom].map(mailboxOf);
  if (ours.includes(mailbox) || (await isAdmins(db, mailbox))) throw new OwnAddress();
}

async function isAdmins(db: Kysely<AccountsDatabase>, mailbox: string): Promise<boolean> {
  const admins = await db
    .selectFrom('admins')
    .select('email')
    .where('email', 'is not', null)
    .execute();
  return admins.some(({ email }) => email !== null && mailboxOf(email) === mailbox);
}
