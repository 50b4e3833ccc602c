import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import { accountsEvents } from '@daylift/contracts/accounts.events';
import { publish } from '@daylift/events/publish';
import { queueMail } from '@daylift/mail/mail';
import { linkToken } from '@daylift/server/one-time-code';
import type { Kysely, Transaction } from 'kysely';
import type { AdminSecrets } from '../admins/admin-secrets.ts';
import type { AccountsDatabase } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import type { Words } from '../notices/words.ts';
import type { ContactLink, User } from '../users/users.table.ts';

type Deps = Pick<AccountsDeps, 'clock' | 'adminSecrets' | 'product'>;

const purposes = {
  confirm: { page: 'confirm-email', lifetimeMs: 7 * 24 * hourMs },
  revert: { page: 'revert-change', lifetimeMs: 72 * hourMs },
};
/** The value of a link that reverts to no address. */
export const noAddress = '';
/** Placeholder for the token in the stored email. */
const tokenPlace = '{{token}}';
const keyForm = /^contact-link:([0-9a-f-]{36})$/;

type NewLink = Pick<
  ContactLink,
  'user_id' | 'purpose' | 'field' | 'value' | 'in_session' | 'proof'
>;

async function insertLink(
  trx: Transaction<AccountsDatabase>,
  deps: Deps,
  link: NewLink & Pick<ContactLink, 'id' | 'channel'>,
  token: string,
  created_at: Date,
): Promise<Date> {
  const expires_at = new Date(created_at.getTime() + purposes[link.purpose].lifetimeMs);
  const token_hash = deps.adminSecrets.hash(token);
  await trx
    .insertInto('contact_links')
    .values({ ...link, token_hash, created_at, expires_at })
    .execute();
  return expires_at;
}

/**
 * Texts a link to the number that the account has at the given version, unless it has changed since. Its token is derived
 * by sms-gateway and stored only as a hash.
 */
export async function textLink(
  trx: Transaction<AccountsDatabase>,
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

/** Mails a link whose token is made when the mail is sent and stored only as a hash. */
export async function mailLink(
  trx: Transaction<AccountsDatabase>,
  deps: Deps,
  link: NewLink,
  mail: { to: string; write: (url: string) => Words },
  now = deps.clock.now(),
): Promise<void> {
  const id = randomUUID();
  const { page } = purposes[link.purpose];
  const token = deps.adminSecrets.linkToken(id);
  await insertLink(trx, deps, { ...link, id, channel: 'mail' }, token, now);
  // After the #, which browsers don't send.
  const words = mail.write(`${deps.product.publicUrl}/${page}#${tokenPlace}`);
  const about = { key: `contact-link:${id}`, to: mail.to, userId: link.user_id };
  await queueMail(trx, { ...about, ...words }, now);
}

/** Returns the final words of an email. */
export function withLinkToken(
  mail: { key: string; text: string },
  secrets: Pick<AdminSecrets, 'linkToken'>,
): string {
  const id = keyForm.exec(mail.key)?.[1];
  return id === undefined ? mail.text : mail.text.replaceAll(tokenPlace, secrets.linkToken(id));
}

/** Returns the link of this token while it is valid. */
export function findLink(
  db: Kysely<AccountsDatabase>,
  { clock, adminSecrets }: Deps,
  purpose: ContactLink['purpose'],
  token: string,
): Promise<ContactLink | undefined> {
  return db
    .selectFrom('contact_links')
    .selectAll()
    .where('token_hash', '=', adminSecrets.hash(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
}

export async function deleteLinks(
  trx: Transaction<AccountsDatabase>,
  userId: string,
  purpose: ContactLink['purpose'],
  channels: ContactLink['channel'][] = ['mail', 'text'],
  since = new Date(0),
): Promise<void> {
  await trx
    .deleteFrom('contact_links')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('channel', 'in', channels)
    .where('created_at', '>', since)
    .execute();
}

/** Excludes the links of earlier changes of a field from being extended, whether those took effect or not. */
export async function retireRevertLinks(
  trx: Transaction<AccountsDatabase>,
  userId: string,
  field: ContactLink['field'],
): Promise<void> {
  await trx
    .updateTable('contact_links')
    .set({ is_latest: false })
    .where('user_id', '=', userId)
    .where('purpose', '=', 'revert')
    .where('field', '=', field)
    .where('is_latest', '=', true)
    .execute();
}

/** Lets a change that takes effect now be reverted for the full time, however long it was pending. */
export async function prolongRevertLinks(
  trx: Transaction<AccountsDatabase>,
  user: User,
  field: ContactLink['field'],
  now: Date,
): Promise<void> {
  await trx
    .updateTable('contact_links')
    .set({ expires_at: new Date(now.getTime() + purposes.revert.lifetimeMs) })
    .where('user_id', '=', user.id)
    .where('purpose', '=', 'revert')
    .where('field', '=', field)
    .where('value', '=', user[field])
    .where('is_latest', '=', true)
    .execute();
}

const keptAfterExpiryMs = 30 * 24 * hourMs;

/** Deletes long expired links, except those that a pending change would extend. */
export async function deleteOldLinks(db: Kysely<AccountsDatabase>, now: Date): Promise<void> {
  await db
    .deleteFrom('contact_links')
    .where('expires_at', '<', new Date(now.getTime() - keptAfterExpiryMs))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('users')
            .whereRef('users.id', '=', 'contact_links.user_id')
            .where((where) =>
              where.or([
                where('pending_email', 'is not', null),
                where('pending_phone', 'is not', null),
              ]),
            ),
        ),
      ),
    )
    .execute();
}
