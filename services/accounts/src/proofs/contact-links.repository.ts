import { dayMs, hourMs } from '@daylift/clock/durations';
import type { Cleanup } from '@daylift/database/cleanup';
import { type Insertable, sql } from 'kysely';
import type { AccountsDatabase, Db, Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import type { ContactLink, User } from '../users/users.table.ts';

export const linkLifetimeMs = { confirm: 7 * 24 * hourMs, revert: 72 * hourMs };

export async function insertContactLink(
  trx: Trx,
  link: Insertable<AccountsDatabase['contact_links']>,
): Promise<void> {
  await trx.insertInto('contact_links').values(link).execute();
}

export function findLink(
  db: Db,
  { clock, adminSecrets }: Pick<AccountsDeps, 'clock' | 'adminSecrets'>,
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
  trx: Trx,
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

/** Deletes links that confirm an email and were requested while signed in. */
export async function deleteSessionLinks(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom('contact_links')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'confirm')
    .where('in_session', '=', true)
    .execute();
}

/** Excludes the links of earlier changes of a field from being extended, whether those took effect or not. */
export async function retireRevertLinks(
  trx: Trx,
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
  trx: Trx,
  user: User,
  field: ContactLink['field'],
  now: Date,
): Promise<void> {
  await trx
    .updateTable('contact_links')
    .set({ expires_at: new Date(now.getTime() + linkLifetimeMs.revert) })
    .where('user_id', '=', user.id)
    .where('purpose', '=', 'revert')
    .where('field', '=', field)
    .where('value', '=', user[field])
    .where('is_latest', '=', true)
    .execute();
}

/** Long expired links, except those that a pending change would extend. */
export const oldLinks: Cleanup<AccountsDatabase> = {
  table: 'contact_links',
  column: 'expires_at',
  keptMs: 30 * dayMs,
  only: () => sql`not exists (select from users where users.id = contact_links.user_id
    and (pending_email is not null or pending_phone is not null))`,
};

/** Deletes the links of changes at or after an instant. */
export async function deleteLinksSince(trx: Trx, userId: string, since: Date): Promise<void> {
  await trx
    .deleteFrom('contact_links')
    .where('user_id', '=', userId)
    .where('created_at', '>=', since)
    .execute();
}

/** Returns the earliest revert link of the user's other address since this one. */
export function findNextOtherLink(trx: Trx, link: ContactLink): Promise<ContactLink | undefined> {
  return trx
    .selectFrom('contact_links')
    .selectAll()
    .where('user_id', '=', link.user_id)
    .where('purpose', '=', 'revert')
    .where('field', '<>', link.field)
    .where('created_at', '>=', link.created_at)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
}
