import { type Kysely, sql } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { ScheduledMessage } from './contents.table.ts';

type Db = Kysely<SchedulerDatabase>;

/**
 * Returns the scheduled message of each date, excluding those sent early. If a date has several, always picks the same.
 */
export async function findMessagesOfDates(db: Db, dates: string[]): Promise<ScheduledMessage[]> {
  if (dates.length === 0) return [];
  return db
    .selectFrom('scheduled_messages')
    .selectAll()
    .distinctOn('scheduled_date')
    .where('scheduled_date', 'in', dates)
    .where('category', '=', 'daily_motivation')
    .where('is_deleted', '=', false)
    .where('sent_early', '=', false)
    .orderBy('scheduled_date')
    .orderBy('id')
    .execute();
}

/** Returns which of these subscribers already had which of these messages. No one gets the same message twice. */
export async function findMessagesHad(
  db: Db,
  userIds: string[],
  messageIds: string[],
): Promise<Set<string>> {
  if (userIds.length === 0 || messageIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('dispatches')
    .select(['user_id', 'scheduled_message_id'])
    .where('scheduled_message_id', 'in', messageIds)
    .where('user_id', 'in', userIds)
    .where('state', 'in', ['released', 'accepted', 'unknown', 'refused'])
    .where('is_test', '=', false)
    .execute();
  return new Set(rows.map((row) => `${row.user_id}/${row.scheduled_message_id}`));
}

/**
 * Picks each subscriber's least recently used active template, so none repeats before all others were sent. Unused
 * ones come in an order that is random per subscriber but stable. As many past texts as there are templates suffice:
 * among those, a template repeats only if all active ones were used.
 */
export async function pickTemplates(
  db: Db,
  userIds: string[],
): Promise<Map<string, { id: string; content: string }>> {
  if (userIds.length === 0) return new Map();
  const result = await sql<{ user_id: string; id: string; content: string }>`
    select people.user_id, picked.id, picked.content
    from unnest(${userIds}::uuid[]) as people (user_id) cross join lateral (
      select templates.id, templates.content
      from templates left join (
        select template_id, max(local_date) as last_date from (
          select template_id, local_date from dispatches
          where dispatches.user_id = people.user_id and template_id is not null and not is_test
            and state in ('released', 'accepted', 'unknown', 'refused')
          order by local_date desc limit (select count(*) from templates)
        ) as last group by template_id
      ) as used on used.template_id = templates.id
      where templates.is_active
      order by used.last_date nulls first,
        uuid_hash_extended(templates.id, uuid_hash_extended(people.user_id, 0))
      limit 1
    ) as picked`.execute(db);
  return new Map(result.rows.map((row) => [row.user_id, { id: row.id, content: row.content }]));
}

export async function findTemplates(
  db: Db,
  ids: string[],
): Promise<{ id: string; content: string }[]> {
  return ids.length === 0
    ? []
    : db.selectFrom('templates').select(['id', 'content']).where('id', 'in', ids).execute();
}
