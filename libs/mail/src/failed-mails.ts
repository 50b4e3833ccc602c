import type { Kysely, Transaction } from 'kysely';
import { type MailTables, maxAttempts } from './mail.ts';

/** Mails that failed for a day, for the admin pages. A `FailedSource` of libs/events. */
export function failedMails<T extends MailTables>() {
  return {
    kind: 'mail' as const,
    async list(db: Kysely<T>, only: { type?: string; limit: number }) {
      const rows = await open(db, only.type)
        .select(['key', 'next_try_at', 'tries', 'created_at'])
        .orderBy('next_try_at')
        .orderBy('key')
        .limit(only.limit)
        .execute();
      return rows.map(({ key, next_try_at, tries, created_at }) => ({
        key,
        type: typeOf(key),
        parked_at: next_try_at,
        tries,
        error: 'The mail server rejected it.',
        payload: { created_at: created_at.toISOString() },
        user_id: null,
      }));
    },
    async count(db: Kysely<T>, only: { type?: string }) {
      const { count } = await open(db, only.type)
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },
    async lock(trx: Transaction<T>, key: string) {
      const mail = await tables(trx)
        .selectFrom('mails')
        .select(['tries', 'sent_at', 'discarded_at'])
        .where('key', '=', key)
        .forUpdate()
        .executeTakeFirst();
      if (mail === undefined) return null;
      if (mail.discarded_at !== null) return 'discarded' as const;
      return mail.sent_at === null && mail.tries >= maxAttempts
        ? ('parked' as const)
        : ('replayed' as const);
    },
    async replay(trx: Transaction<T>, key: string, now: Date) {
      await tables(trx)
        .updateTable('mails')
        .set({ tries: 0, next_try_at: now })
        .where('key', '=', key)
        .execute();
    },
    /** Erases the addresses and content but keeps the row, so its key is never sent again. */
    async discard(trx: Transaction<T>, key: string, now: Date) {
      await tables(trx)
        .updateTable('mails')
        .set({ discarded_at: now, to_address: '', reply_to: null, subject: '', text: '' })
        .where('key', '=', key)
        .execute();
    },
  };
}

const tables = <T extends MailTables>(db: Kysely<T>) => db as unknown as Kysely<MailTables>;

const typeOf = (key: string): string => key.split(':')[0] ?? key;

function open<T extends MailTables>(db: Kysely<T>, type: string | undefined) {
  const mails = tables(db)
    .selectFrom('mails')
    .where('sent_at', 'is', null)
    .where('discarded_at', 'is', null)
    .where('tries', '>=', maxAttempts);
  return type === undefined
    ? mails
    : mails.where('key', 'like', `${type.replaceAll(/[\\%_]/g, '\\$&')}:%`);
}
