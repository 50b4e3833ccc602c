import type { Words } from '@daylift/mail/compose-mail';
import type { Product } from '../deps.ts';
import { composeMail } from '../notices/words.ts';

export function invitationWords(
  admin: { username: string; role: string },
  product: Product,
  url: string,
): Words {
  return composeMail({ name: admin.username }, product, `Your access to ${product.name} Admin`, [
    `You've been invited to the ${product.name} admin pages as "${admin.username}" (${admin.role}).`,
    `Choose your password here: ${url}`,
    "The link works once, within 72 hours. Don't share it: the first person to open it gets your access.",
  ]);
}

export function guessingWords(admin: { username: string }, product: Product, ip: string): Words {
  return composeMail({ name: 'owner' }, product, `Failed sign-ins as ${admin.username}`, [
    `Someone failed to sign in to the admin pages as "${admin.username}" five times in a row, most recently from the IP address ${ip}. Each further attempt has to wait longer.`,
    `If it wasn't ${admin.username}: no one got in. Two-step sign-in protects the account even if the password is guessed. The audit log lists every attempt (${product.adminUrl}/admin/dashboard?tab=audit).`,
  ]);
}
