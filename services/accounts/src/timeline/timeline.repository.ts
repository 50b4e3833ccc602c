import { hourMs } from '@daylift/clock/durations';
import { sql } from 'kysely';
import type { Db, Trx } from '../database.ts';
import type { Answer, SupportMessage } from '../inbox/inbox.table.ts';
import type { RecordedChange } from '../users/user-changes.table.ts';

/** Inclusive bounds. */
export interface TimelineRange {
  from?: Date;
  until?: Date | undefined;
  limit: number;
}

export function findChanges(
  db: Db,
  userId: string,
  { from, until, limit }: TimelineRange,
): Promise<RecordedChange[]> {
  return db
    .selectFrom('user_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(until !== undefined, (query) => query.where('changed_at', '<=', until!))
    .$if(from !== undefined, (query) => query.where('changed_at', '>=', from!))
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Newest first, to reconstruct earlier settings by going back. */
export function findChangesAfter(db: Db, userId: string, at: Date): Promise<RecordedChange[]> {
  return db
    .selectFrom('user_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('changed_at', '>', at)
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Messages from the forms; text replies come from sms-gateway. */
export function findMessages(
  db: Db,
  userId: string,
  { from, until, limit }: TimelineRange,
): Promise<SupportMessage[]> {
  return db
    .selectFrom('letters')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '<>', 'reply')
    .$if(until !== undefined, (query) => query.where('created_at', '<=', until!))
    .$if(from !== undefined, (query) => query.where('created_at', '>=', from!))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Staff's replies by email; those by text come from sms-gateway. */
export function findMailedAnswers(
  db: Db,
  userId: string,
  { from, until, limit }: TimelineRange,
): Promise<Answer[]> {
  return db
    .selectFrom('answers')
    .innerJoin('conversations', 'conversations.id', 'answers.conversation_id')
    .selectAll('answers')
    .where('conversations.user_id', '=', userId)
    .where('answers.sent_by', '=', 'email')
    .$if(until !== undefined, (query) => query.where('answers.created_at', '<=', until!))
    .$if(from !== undefined, (query) => query.where('answers.created_at', '>=', from!))
    .orderBy('answers.created_at', 'desc')
    .orderBy('answers.id', 'desc')
    .limit(limit)
    .execute();
}

export function findConsents(db: Db, userId: string) {
  return db
    .selectFrom('consents')
    .select(['source', 'wording_version', 'given_at', 'ip', 'user_agent', 'phone_hash'])
    .where('user_id', '=', userId)
    .orderBy('given_at', 'desc')
    .limit(50)
    .execute();
}

export async function findName(
  db: Db,
  userId: string | null,
): Promise<{ id: string; name: string } | null> {
  if (userId === null) return null;
  const row = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns whether to record in the audit log that this admin opened the page: once an hour. */
export async function isNewView(
  trx: Trx,
  view: { user_id: string; admin_id: string },
  now: Date,
): Promise<boolean> {
  const recorded = await trx
    .insertInto('user_views')
    .values({ ...view, told_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'admin_id'])
        .doUpdateSet({ told_at: now })
        .where(sql.ref('user_views.told_at'), '<=', new Date(now.getTime() - hourMs)),
    )
    .returning('told_at')
    .executeTakeFirst();
  return recorded !== undefined;
}
