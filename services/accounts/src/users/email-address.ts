/** One spelling for each address: what is stored, compared and hashed. */
export const canonicalEmail = (input: string): string =>
  input.trim().normalize('NFC').toLowerCase();

const gmailDomains = ['gmail.com', 'googlemail.com'];

/**
 * Returns one spelling for every address that reaches the same mailbox: without `+tag`, and at Gmail without dots. Used
 * for limits and one-per-person rules; mail goes to the address as typed.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  if (at === -1) return email;
  const local = email.slice(0, at).replace(/(?!^)\+.*$/s, '');
  const domain = email.slice(at + 1);
  if (!gmailDomains.includes(domain)) return `${local}@${domain}`;
  return `${local.replaceAll('.', '')}@gmail.com`;
}
