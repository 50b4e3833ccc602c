import type { Clock } from '@daylift/clock/clock';
import { hourMs } from '@daylift/clock/durations';
import type { Logger } from '@daylift/server/logger';
import type { Loop } from '@daylift/server/loops';
import { type Generated, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Transporter } from 'nodemailer';
import { brandOf, mailHtml } from './mail-html.ts';

export interface MailTables {
  mails: {
    /** Idempotency key, such as `receipt:in_1`. Each key is sent once. */
    key: string;
    to_address: string;
    subject: string;
    text: string;
    /** Defaults to the product's address. */
    reply_to: string | null;
    /** Whether the row is erased once the mail is sent. */
    erase_when_done: Generated<boolean>;
    created_at: Date;
    next_try_at: Date;
    tries: number;
    sent_at: Date | null;
    /** Discarded by an admin after it failed. */
    discarded_at: Date | null;
    /** Keys of the earlier mails of its thread, oldest first. */
    thread: string[] | null;
    /** The account that the mail is about. An address alone doesn't prove ownership. */
    user_id: Generated<string | null>;
  };
}

type Mail = Selectable<MailTables['mails']>;

export async function createMailTable(db: Kysely<unknown>): Promise<void> {
  await sql`create table mails (
    key text primary key,
    to_address text not null,
    subject text not null,
    text text not null,
    created_at timestamptz not null,
    next_try_at timestamptz not null,
    tries integer not null default 0,
    sent_at timestamptz
  )`.execute(db);
  await sql`create index mails_unsent on mails (next_try_at) where sent_at is null`.execute(db);
}

export async function extendMailTable(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mails add column reply_to text,
    add column erase_when_done boolean not null default false`.execute(db);
}

export async function addMailThreads(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mails add column thread text[], add column discarded_at timestamptz`.execute(
    db,
  );
}

export async function addMailOwners(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mails add column user_id uuid`.execute(db);
  await sql`create index mails_of_user on mails (user_id) where user_id is not null`.execute(db);
}

interface NewMail {
  key: string;
  to: string;
  subject: string;
  text: string;
  replyTo?: string;
  thread?: string[];
  eraseWhenSent?: boolean;
  userId?: string | null;
}

/** Queues a mail in the transaction of the change it reports. `sendMails` sends it. */
export async function queueMail<T extends MailTables>(
  trx: Transaction<T>,
  mail: NewMail,
  now: Date,
): Promise<void> {
  const tables = trx as unknown as Transaction<MailTables>;
  await tables
    .insertInto('mails')
    .values({
      key: mail.key,
      to_address: mail.to,
      subject: mail.subject,
      text: mail.text,
      reply_to: mail.replyTo ?? null,
      erase_when_done: mail.eraseWhenSent ?? false,
      created_at: now,
      next_try_at: now,
      tries: 0,
      sent_at: null,
      discarded_at: null,
      thread: mail.thread ?? null,
      ...(mail.userId && { user_id: mail.userId }),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const maxAttempts = 30;
const leaseMs = 60_000;
const maxPauseMs = hourMs;
/** Timeouts, so an unresponsive mail server doesn't block the loop for minutes. */
const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };
/** Connections are kept for later mails. If the server has closed one, the mail is sent on another one. */
const pool = { pool: true, maxConnections: 4, maxRequeues: 1 } as const;
/** Longer than the slowest mail takes. */
const maxSendMs = 40_000;

const messageIdOf = (key: string): string => `<${Buffer.from(key).toString('base64url')}@daylift>`;

const threadOf = (keys: string[]) => {
  const references = keys.map(messageIdOf);
  return { references, inReplyTo: references.at(-1) };
};

/** Sends queued mails, retrying with backoff for a day. If a server's response is lost, a mail can be sent twice. */
export function createMailLoop<T extends MailTables>(options: {
  db: Kysely<T>;
  clock: Clock;
  log: Logger;
  config: { SMTP_URL: string; MAIL_FROM: string };
  /** Returns the text to send from the stored text, for secrets that must not be stored. */
  render?(mail: { key: string; text: string }): string;
}): Loop {
  const db = options.db as unknown as Kysely<MailTables>;
  const brand = brandOf(options.config.MAIL_FROM);
  let transport: Promise<Transporter> | null = null;
  let newestFirst = false;
  /** Loaded lazily: most processes never send a mail. */
  const connect = async (): Promise<Transporter> =>
    (await import('nodemailer')).createTransport(
      { url: options.config.SMTP_URL, ...timeouts, ...pool },
      { from: options.config.MAIL_FROM },
    );

  /** Alternates between the oldest and the newest mails, because a backlog must not delay one-time codes. */
  async function claim() {
    const now = options.clock.now();
    newestFirst = !newestFirst;
    return db
      .updateTable('mails')
      .set((set) => ({
        next_try_at: new Date(now.getTime() + leaseMs),
        tries: set('tries', '+', 1),
      }))
      .where('key', 'in', (query) =>
        query
          .selectFrom('mails')
          .select('key')
          .where('sent_at', 'is', null)
          .where('next_try_at', '<=', now)
          .where('tries', '<', maxAttempts)
          .where('discarded_at', 'is', null)
          .orderBy('next_try_at', newestFirst ? 'desc' : 'asc')
          .limit(20)
          .forUpdate()
          .skipLocked(),
      )
      .returningAll()
      .execute();
  }

  async function release(mail: Mail): Promise<void> {
    await db
      .updateTable('mails')
      .set((set) => ({ next_try_at: options.clock.now(), tries: set('tries', '-', 1) }))
      .where('key', '=', mail.key)
      .where('next_try_at', '=', mail.next_try_at)
      .execute();
  }

  async function settle(mail: Mail, sent: boolean): Promise<void> {
    const now = options.clock.now();
    if (mail.erase_when_done && sent) {
      await db.deleteFrom('mails').where('key', '=', mail.key).execute();
      return;
    }
    const isLast = mail.tries >= maxAttempts;
    const pause = isLast ? 0 : Math.min(1_000 * 2 ** mail.tries, maxPauseMs);
    const outcome = sent ? { sent_at: now } : { next_try_at: new Date(now.getTime() + pause) };
    await db.updateTable('mails').set(outcome).where('key', '=', mail.key).execute();
  }

  async function send(mail: Mail): Promise<void> {
    // Too little of the lease is left: the next run sends it.
    if (mail.next_try_at.getTime() - options.clock.now().getTime() < maxSendMs)
      return release(mail);
    try {
      transport ??= connect();
      const { subject } = mail;
      const text = options.render?.(mail) ?? mail.text;
      await (await transport).sendMail({
        to: mail.to_address,
        subject,
        text,
        html: mailHtml({ subject, text, brand }),
        ...(mail.reply_to !== null && { replyTo: { name: '', address: mail.reply_to } }),
        messageId: messageIdOf(mail.key),
        ...(mail.thread !== null && threadOf(mail.thread)),
      });
      await settle(mail, true);
    } catch (error) {
      options.log.warn(
        { err: error, key: mail.key.split(':')[0], tries: mail.tries },
        'mail rejected',
      );
      await settle(mail, false);
    }
  }

  return {
    name: 'mail',
    everyMs: 1_000,
    async run() {
      const mails = await claim();
      const waiting = mails.values();
      const sendNext = async (): Promise<void> => {
        for (const mail of waiting) await send(mail);
      };
      // All of them end before the next run, even if one fails, so mails don't wait for a connection past their lease.
      const senders = Array.from({ length: pool.maxConnections }, sendNext);
      await Promise.allSettled(senders);
      await Promise.all(senders);
      return mails.length;
    },
    async pending() {
      const row = await db
        .selectFrom('mails')
        .select((select) => select.fn.countAll<number>().as('due'))
        .where('sent_at', 'is', null)
        .where('next_try_at', '<=', options.clock.now())
        .where('tries', '<', maxAttempts)
        .where('discarded_at', 'is', null)
        .executeTakeFirstOrThrow();
      return row.due;
    },
    close: () => void transport?.then((open) => open.close()),
  };
}
