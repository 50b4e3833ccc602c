import type { InboxQuery, SupportMessageKind } from '@daylift/contracts/inbox.http';
import { withoutContacts } from '@daylift/server/mask-contact';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../database.ts';
import type { Answer, ConversationRow } from './inbox.table.ts';

export type ConversationView = ConversationRow & {
  /** The latest message. */
  latest: { kind: SupportMessageKind; message: string; needs_review: boolean } | null;
  user_phone: string | null;
  assignee: string | null;
};

const maxCounted = 1_000;
/**
 * A common word is searched in the latest messages only, because sorting all of them for one page would take too long.
 */
const maxFound = 1_000;

const columns = sql`c.*, u.phone as user_phone, a.username as assignee, (select json_build_object('kind', l.kind,
    'message', l.message, 'needs_review', l.needs_review)
  from letters l where l.conversation_id = c.id order by created_at desc, l.id desc limit 1) as latest`;

async function readViews(
  db: Db,
  { where, limit }: { where: RawBuilder<unknown>; limit: number },
): Promise<ConversationView[]> {
  const result = await sql<ConversationView>`select ${columns}
    from conversations c left join users u on u.id = c.user_id left join admins a on a.id = c.assignee_id
    where ${where} order by c.in_distress desc, c.last_at desc, c.id desc limit ${limit}`.execute(
    db,
  );
  return result.rows;
}

/** Reads one more than requested, to know whether older ones exist. */
export async function listConversations(
  db: Db,
  query: InboxQuery & { masked: boolean },
): Promise<ConversationView[]> {
  const { search, masked } = query;
  const found = search === undefined ? null : await findByWords(db, search, masked);
  const wanted = [
    ...(query.state === undefined ? [] : [sql`c.state = ${query.state}`]),
    ...(query.unanswered
      ? [sql`c.state = 'open' and (c.answered_at is null or c.answered_at < c.last_at)`]
      : []),
    ...(query.assignee === undefined ? [] : [sql`c.assignee_id = ${query.assignee}`]),
    ...(query.kind === undefined ? [] : [sql`c.kind = ${query.kind}`]),
    ...(found === null ? [] : [matching(found, query)]),
    ...(query.before === undefined
      ? []
      : [
          sql`(c.in_distress, c.last_at, c.id) < (select in_distress, last_at, id from conversations
            where id = ${query.before})`,
        ]),
    sql`true`,
  ];
  return readViews(db, { where: sql.join(wanted, sql` and `), limit: query.limit + 1 });
}

/**
 * Returns conversations that contain these words, or words that start with them, in the latest matching messages.
 * Postgres keeps an address, a link and a number with hyphens as one word, so those are also searched as a whole. A
 * `masked` search matches only what a viewer sees; otherwise guessing digit by digit would reveal a number.
 */
async function findByWords(db: Db, search: string, masked: boolean): Promise<string[]> {
  const words = wordsOf(search);
  if (words.length === 0) return [];
  const tsquery = words.map((word) => `${word}:*`).join(' & ');
  const { rows } = await sql<{ conversation_id: string; text: string }>`
    select conversation_id, concat_ws(' ', name, subject, message) as text from letters
    where words @@ (to_tsquery('simple', ${tsquery}) || plainto_tsquery('simple', ${search}))
    order by created_at desc limit ${maxFound}`.execute(db);
  const found = masked ? rows.filter((row) => hasWords(withoutContacts(row.text), words)) : rows;
  return [...new Set(found.map((row) => row.conversation_id))];
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function hasWords(text: string, words: string[]): boolean {
  const present = wordsOf(text);
  return words.every((word) => present.some((one) => one.startsWith(word)));
}

/** Finds an address only as a whole, and only for those who see addresses. */
function matching(
  found: string[],
  { search = '', masked }: InboxQuery & { masked: boolean },
): RawBuilder<unknown> {
  const byWords = sql`c.id = any(${found}::uuid[])`;
  return masked ? byWords : sql`(${byWords} or c.email = ${search.trim().toLowerCase()})`;
}

export async function countOpen(db: Db): Promise<number> {
  const result = await sql<{ count: number }>`select count(*) as count from
    (select 1 from conversations where state = 'open' limit ${maxCounted}) as open`.execute(db);
  return result.rows[0]?.count ?? 0;
}

export async function findConversation(db: Db, id: string): Promise<ConversationView | undefined> {
  return (await readViews(db, { where: sql`c.id = ${id}`, limit: 1 }))[0];
}

export function findOthers(
  db: Db,
  one: ConversationRow,
  limit: number,
): Promise<ConversationView[]> {
  const same =
    one.user_id !== null
      ? sql`c.user_id = ${one.user_id}`
      : one.email !== null
        ? sql`c.email = ${one.email}`
        : sql`c.phone = ${one.phone}`;
  return readViews(db, { where: sql`${same} and c.id <> ${one.id}`, limit });
}

/** Returns the latest messages in chronological order. An auto-responder may have sent thousands. */
export async function findMessages(db: Db, conversationId: string, limit: number) {
  const latest = await db
    .selectFrom('letters')
    .select(['id', 'kind', 'email', 'message', 'needs_review', 'created_at'])
    .where('conversation_id', '=', conversationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return latest.reverse();
}

export async function findAnswers(
  db: Db,
  conversationId: string,
  limit: number,
): Promise<Answer[]> {
  const latest = await db
    .selectFrom('answers')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return latest.reverse();
}

export function findAnswer(db: Db, id: string): Promise<Answer | undefined> {
  return db.selectFrom('answers').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findMails(db: Db, keys: string[]) {
  if (keys.length === 0) return [];
  return db
    .selectFrom('mails')
    .select(['key', 'sent_at', 'tries', 'discarded_at'])
    .where('key', 'in', keys)
    .execute();
}

export function lockConversation(trx: Trx, id: string): Promise<ConversationRow | undefined> {
  return trx
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function insertAnswer(trx: Trx, answer: Answer): Promise<void> {
  await trx.insertInto('answers').values(answer).execute();
}

export async function updateConversation(
  trx: Trx,
  id: string,
  change: Partial<ConversationRow>,
): Promise<void> {
  await trx.updateTable('conversations').set(change).where('id', '=', id).execute();
}

export async function findLastReplyAt(db: Db, userId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('letters')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('kind', '=', 'reply')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.created_at ?? null;
}
