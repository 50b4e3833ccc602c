import { randomUUID } from 'node:crypto';
import { accountsEvents } from '@daylift/contracts/accounts.events';
import { publish } from '@daylift/events/publish';
import type { Words } from '@daylift/mail/compose-mail';
import { queueMail } from '@daylift/mail/mail';
import { linkToken } from '@daylift/server/one-time-code';
import type { AdminSecrets } from '../admins/admin-secrets.ts';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import type { ContactLink } from '../users/users.table.ts';
import { insertContactLink, linkLifetimeMs } from './contact-links.repository.ts';

type Deps = Pick<AccountsDeps, 'clock' | 'adminSecrets' | 'product'>;

const pages = {
  confirm: 'confirm-email',
  revert: 'revert-change',
};
/** The value of a link that reverts to no address. */
export const noAddress = '';
const tokenPlace = '{{token}}';
const keyForm = /^contact-link:([0-9a-f-]{36})$/;

type NewLink = Pick<
  ContactLink,
  'user_id' | 'purpose' | 'field' | 'value' | 'in_session' | 'proof'
>;

async function insertLink(
  trx: Trx,
  deps: Deps,
  link: NewLink & Pick<ContactLink, 'id' | 'channel'>,
  token: string,
  created_at: Date,
): Promise<Date> {
  const expires_at = new Date(created_at.getTime() + linkLifetimeMs[link.purpose]);
  const token_hash = deps.adminSecrets.hash(token);
  await insertContactLink(trx, { ...link, token_hash, created_at, expires_at });
  return expires_at;
}

/**
 * Texts a link to the number that the account has at the given version, unless it has changed since. Its token is derived
 * by sms-gateway and stored only as a hash.
 */
export async function textLink(
  trx: Trx,
  deps: Deps & Pick<AccountsDeps, 'codeKey'>,
  link: NewLink & { purpose: 'revert'; recipient_version: number },
  now: Date,
): Promise<void> {
  const id = randomUUID();
  const { recipient_version, ...row } = link;
  const expiresAt = await insertLink(
    trx,
    deps,
    { ...row, id, channel: 'text' },
    linkToken(deps.codeKey, id),
    now,
  );
  const { user_id, purpose, field } = link;
  const expires_at = expiresAt.toISOString();
  const request = { request_id: id, user_id, expires_at, purpose, field, recipient_version };
  await publish(trx, accountsEvents, 'accounts.code.requested', request, now);
}

/** Mails a link. Its token is made when the mail is sent and stored only as a hash. */
export async function mailLink(
  trx: Trx,
  deps: Deps,
  link: NewLink,
  mail: { to: string; write: (url: string) => Words },
  now = deps.clock.now(),
): Promise<void> {
  const id = randomUUID();
  const token = deps.adminSecrets.linkToken(id);
  await insertLink(trx, deps, { ...link, id, channel: 'mail' }, token, now);
  // After the #, which browsers don't send.
  const words = mail.write(`${deps.product.publicUrl}/${pages[link.purpose]}#${tokenPlace}`);
  const about = { key: `contact-link:${id}`, to: mail.to, userId: link.user_id };
  await queueMail(trx, { ...about, ...words }, now);
}

export function withLinkToken(
  mail: { key: string; text: string },
  secrets: Pick<AdminSecrets, 'linkToken'>,
): string {
  const id = keyForm.exec(mail.key)?.[1];
  return id === undefined ? mail.text : mail.text.replaceAll(tokenPlace, secrets.linkToken(id));
}
