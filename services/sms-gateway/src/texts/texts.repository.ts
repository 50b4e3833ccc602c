import { afterCommit } from '@daylift/database/create-database';
import { isRecent } from '@daylift/database/partitions';
import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { isPushing, pushTexts } from './push-texts.ts';
import type { Slot, TextsTable, Windows } from './texts.table.ts';

export type Text = Selectable<TextsTable>;
export type TextKey = Pick<Text, 'id' | 'local_date'>;

export function lockText(trx: Transaction<SmsDatabase>, key: TextKey): Promise<Text | undefined> {
  return trx
    .selectFrom('texts')
    .selectAll()
    .where('id', '=', key.id)
    .where('local_date', '=', key.local_date)
    .forUpdate()
    .executeTakeFirst();
}

const insertedColumns = [
  'id',
  'local_date',
  'kind',
  'user_id',
  'batch_id',
  'scheduled_message_id',
  'content',
  'windows',
  'deadline_at',
  'slot',
  'next_attempt_at',
  'enqueued_at',
  'reply_to',
  'sender',
  'pinned_hash',
  'created_at',
  'due_at',
  'due_since',
  'traceparent',
] as const;

/** A text to queue; omitted columns are null. */
export type NewText = Omit<
  Partial<Pick<Text, (typeof insertedColumns)[number]>>,
  'enqueued_at' | 'slot' | 'windows'
> &
  Pick<Text, 'id' | 'local_date' | 'kind' | 'next_attempt_at'> & {
    windows: Windows;
    slot?: Slot | null;
  };

/**
 * Inserts texts that don't exist yet and returns their ids. With `isPushed`, due ones go to the workers right after the
 * commit.
 */
export async function insertTexts(
  trx: Transaction<SmsDatabase>,
  texts: NewText[],
  { now, isPushed }: { now: Date; isPushed: boolean },
): Promise<Set<string>> {
  const pushes = isPushed && isPushing();
  const isDue = (text: NewText) => text.next_attempt_at <= now;
  const enqueuedAt = new Date();
  const rows = texts.map((text) => ({
    ...text,
    enqueued_at: pushes && isDue(text) ? enqueuedAt : null,
  }));
  const columns = sql.join(insertedColumns.map((column) => sql.ref(column)));
  // One parameter: thousands of them take longer to prepare than the insert.
  const { rows: fresh } = await sql<{ id: string }>`insert into texts (${columns})
    select ${columns} from json_populate_recordset(null::texts, ${JSON.stringify(rows)})
    on conflict (id, local_date) do nothing returning id`.execute(trx);
  const ids = new Set(fresh.map(({ id }) => id));
  const pushed = pushes ? texts.filter((text) => ids.has(text.id) && isDue(text)) : [];
  if (pushed.length > 0) afterCommit(trx, () => pushTexts(pushed));
  return ids;
}

/** Returns which of the texts are settled. */
export function findSettled(db: Kysely<SmsDatabase>, keys: TextKey[]) {
  return db
    .selectFrom('texts')
    .select(['id', 'user_id', 'local_date', 'batch_id', 'scheduled_message_id', 'is_test'])
    .select(['state', 'reason'])
    .where(
      'id',
      'in',
      keys.map(({ id }) => id),
    )
    .where('local_date', 'in', [...new Set(keys.map(({ local_date }) => local_date))])
    .where('settled_at', 'is not', null)
    .execute();
}

/** Assigns replies to a user's number from before it was theirs, because a stranger may get the number later. */
export async function assignTexts(
  trx: Transaction<SmsDatabase>,
  phone: string,
  userId: string,
): Promise<void> {
  await trx
    .updateTable('texts')
    .set({ user_id: userId })
    .where('user_id', 'is', null)
    .where('reply_to', '=', phone)
    .execute();
}

export function eraseTextsOf(trx: Transaction<SmsDatabase>, userId: string): Promise<number> {
  return eraseTexts(trx, sql`user_id = ${userId}`);
}

/** Returns how many texts still had personal data. */
export async function eraseTextsOfDeletedSince(
  trx: Transaction<SmsDatabase>,
  since: Date,
): Promise<number> {
  const deleted = await trx
    .selectFrom('recipients')
    .select('user_id')
    .where('deleted_at', '>', since)
    .execute();
  if (deleted.length === 0) return 0;
  return eraseTexts(
    trx,
    sql`user_id = any(${deleted.map(({ user_id }) => user_id)}) and ${isRecent(since)}`,
  );
}

async function eraseTexts(
  trx: Transaction<SmsDatabase>,
  condition: RawBuilder<unknown>,
): Promise<number> {
  // A message written for everyone stays; a transactional text reveals what one person did.
  const erased =
    await sql`update texts set body = null, to_number = null, reply_to = null, pinned_hash = null, slot = null,
      content = case when kind in ('daily', 'announcement') then content else '' end
    where ${condition} and state <> 'inflight'
      and (body is not null or to_number is not null or reply_to is not null or slot is not null
        or (content <> '' and kind not in ('daily', 'announcement')))`.execute(trx);
  return Number(erased.numAffectedRows ?? 0n);
}
