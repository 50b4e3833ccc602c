import type { Db } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { OwnAddress } from '../errors.ts';
import { canonicalEmail, mailboxOf } from '../users/email-address.ts';
import { findAdminEmails } from './admins.repository.ts';

/** Returns the mailbox of `Support <support+x@example.com>`. */
const ownMailboxOf = (address: string): string =>
  mailboxOf(canonicalEmail(/<(.*)>/.exec(address)?.[1] ?? address));

/** Anyone can have an address here, so only our mailbox is ours and not the domain. */
const publicDomains = new Set([
  ...['gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'live.com', 'yahoo.com'],
  ...['icloud.com', 'me.com', 'aol.com', 'gmx.com', 'gmx.net', 'web.de', 'proton.me', 'zoho.com'],
]);

const domainOf = (mailbox: string): string => mailbox.slice(mailbox.lastIndexOf('@') + 1);

/**
 * Rejects addresses at which the product or its operators receive mail: the mailboxes of its admins, and all addresses of
 * the product's own mail domains, because `admin@` or `postmaster@` there would look like ours.
 */
export async function rejectOwnAddress(
  { db, product }: Pick<AccountsDeps, 'db' | 'product'>,
  email: string,
): Promise<void> {
  const mailbox = mailboxOf(email);
  const ownMailboxes = [product.supportEmail, product.mailFrom].map(ownMailboxOf);
  const domains = ownMailboxes.map(domainOf).filter((domain) => !publicDomains.has(domain));
  const isOurs = domains.some((own) => `.${domainOf(mailbox)}`.endsWith(`.${own}`));
  if (isOurs || ownMailboxes.includes(mailbox) || (await isAdmins(db, mailbox)))
    throw new OwnAddress();
}

async function isAdmins(db: Db, mailbox: string): Promise<boolean> {
  const emails = await findAdminEmails(db);
  return emails.some((email) => ownMailboxOf(email) === mailbox);
}
