import type { Product } from '../deps.ts';
import { letterTo, type Words } from '../notices/words.ts';

export function invitationWords(
  admin: { username: string; role: string },
  product: Product,
  url: string,
): Words {
  return letterTo({ name: admin.username }, product, `Your access to ${product.name} Admin`, [
    `You have been given access to the operators' pages of ${product.name} as "${admin.username}" (${admin.role}).`,
    `Choose your password here: ${url}`,
    'The link is good for one use within 72 hours. Do not pass it on: whoever opens it first comes in as you.',
  ]);
}

export function guessingWords(admin: { username: string }, product: Product, ip: string): Words {
  return letterTo({ name: 'owner' }, product, `Failed sign-ins as ${admin.username}`, [
    `Somebody failed five times in a row to sign in to the operators' pages as "${admin.username}", last from the address ${ip}. Each further try has to wait longer.`,
    `If that was not ${admin.username}, nothing was opened; a second step at the sign-in keeps it so even if the password is found. The audit log has every try (${product.adminUrl}/admin/dashboard?tab=audit).`,
  ]);
}
