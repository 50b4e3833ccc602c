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
  return composeMail({ name: '' }, product, `Failed sign-ins as ${admin.username}`, [
    `Someone failed to sign in to the admin pages as "${admin.username}" five times in a row, most recently from the IP address ${ip}. Each further attempt has to wait longer.`,
    `No one got in, and two-step sign-in protects the account even if the password is guessed. Ask ${admin.username} whether it was them. The audit log lists every attempt (${product.adminUrl}/admin/dashboard?tab=audit).`,
  ]);
}

/** `month` has the form `2027-03`. */
export function monthWords(
  month: string,
  figures: { name: string; value: string; previous: string }[],
  product: Product,
): Words {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 });
  const name = first.toLocaleString('en-US', { month: 'long', year: 'numeric' });
  const last = first.add({ months: 1 }).subtract({ days: 1 });
  return composeMail({ name: '' }, product, `${product.name} in ${name}`, [
    `Here are the figures for ${name}, with the previous month in parentheses.`,
    figures.map((figure) => `${figure.name}: ${figure.value} (${figure.previous})`).join('\n'),
    `Definitions, and figures by country and signup month: ${product.adminUrl}/admin/business?from=${first}&to=${last}`,
  ]);
}
