import type { Kysely } from 'kysely';
import type { AccountsDatabase } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { OwnAddress } from '../errors.ts';
import { canonicalEmail, mailboxOf } from './email-address.ts';

/** Returns the mailbox of `Support <support+x@example.com>`. */
const ownMailboxOf = (address: string): string =>
  mailboxOf(canonicalEmail(/<(.*)>/.exec(address)?.[1] ?? address));

/** Refuses addresses at which the product or its operators receive mail. */
export async function refuseOwnAddress(
  { db, product }: Pick<AccountsDeps, 'db' | 'product'>,
  email: string,
): Promise<void> {
  const mailbox = mailboxOf(email);
  const ours = [product.supportEmail, product.mailFrom].map(ownMailboxOf);
  if (ours.includes(mailbox) || (await isAdmins(db, mailbox))) throw new OwnAddress();
}

async function isAdmins(db: Kysely<AccountsDatabase>, mailbox: string): Promise<boolean> {
  const admins = await db
    .selectFrom('admins')
    .select('email')
    .where('email', 'is not', null)
    .execute();
  return admins.some(({ email }) => email !== null && ownMailboxOf(email) === mailbox);
}
