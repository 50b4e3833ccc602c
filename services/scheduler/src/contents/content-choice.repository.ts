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
 * ones come first, in a random but stable order per subscriber, then those of dropped months in any order. Reads only
 * as many past texts as there are templates, plus one for each sequence text: among those, a template repeats only if
 * all active ones were used.
 */
export async function pickTemplates(
  db: Db,
  userIds: string[],
): Promise<Map<string, { id: string; content: string }>> {
  if (userIds.length === 0) return new Map();
  const result = await sql<{ user_id: string; id: string; content: string }>`
    select people.user_id, picked.id, picked.content
    from unnest(${userIds}::uuid[]) as people (user_id) left join past_templates as past using (user_id)
    cross join lateral (
      select templates.id, templates.content
      from templates left join (
        select template_id, max(local_date) as last_date from (
          select template_id, local_date from dispatches
          where dispatches.user_id = people.user_id and template_id is not null and not is_test
            and state in ('released', 'accepted', 'unknown', 'refused')
          order by local_date desc limit (select count(*) from templates) + (select count(*) from sequence_texts)
        ) as last group by template_id
      ) as used on used.template_id = templates.id
      where templates.is_active
      order by
        coalesce(used.last_date, case when templates.number = any(past.numbers) then '-infinity'::date end) nulls first,
        uuid_hash_extended(templates.id, uuid_hash_extended(people.user_id, 0))
      limit 1
    ) as picked`.execute(db);
  return new Map(result.rows.map((row) => [row.user_id, { id: row.id, content: row.content }]));
}

/** Returns library and sequence texts. */
export async function findTemplates(
  db: Db,
  ids: string[],
): Promise<{ id: string; content: string }[]> {
  return ids.length === 0
    ? []
    : db
        .selectFrom('templates')
        .select(['id', 'content'])
        .where('id', 'in', ids)
        .unionAll((union) =>
          union.selectFrom('sequence_texts').select(['id', 'content']).where('id', 'in', ids),
        )
        .execute();
}

export interface SequenceChoice {
  user_id: string;
  local_date: string;
  id: string;
  day: number;
  content: string;
}

/** A sequence text goes out within this many days, including its own, so weekly subscribers get it too. */
const sequenceDays = 7;

/**
 * Returns active sequence texts for days that subscribers reached within the last week, without those they have had.
 * Reads dispatches only of subscribers in such a week, who are mostly new.
 */
export async function findSequenceTexts(
  db: Db,
  texts: { user_id: string; local_date: string }[],
): Promise<SequenceChoice[]> {
  if (texts.length === 0) return [];
  const active = await db
    .selectFrom('sequence_texts')
    .select(['id', 'day', 'content'])
    .where('is_active', '=', true)
    .execute();
  if (active.length === 0) return [];
  const candidates = await sql<SequenceChoice & { since: string }>`
    select subscribers.user_id, due.local_date, active.id, day, content, first_local_date as since
    from unnest(${texts.map((one) => one.user_id)}::uuid[], ${texts.map((one) => one.local_date)}::date[])
      as due (user_id, local_date)
    join subscribers on subscribers.user_id = due.user_id
    join unnest(${active.map((one) => one.id)}::uuid[], ${active.map((one) => one.day)}::integer[],
      ${active.map((one) => one.content)}::text[]) as active (id, day, content)
      on due.local_date - first_local_date + 1 >= day
      and due.local_date - first_local_date + 1 < day + ${sequenceDays}::integer
    order by day desc`.execute(db);
  if (candidates.rows.length === 0) return [];
  const had = await findSequenceTextsHad(db, candidates.rows);
  return candidates.rows.filter((one) => !had.has(`${one.user_id}/${one.id}`));
}

async function findSequenceTextsHad(
  db: Db,
  candidates: (SequenceChoice & { since: string })[],
): Promise<Set<string>> {
  const dates = candidates.map((one) => one.since).toSorted();
  const rows = await db
    .selectFrom('dispatches')
    .select(['user_id', 'template_id'])
    .where(sql<boolean>`user_id = any(${candidates.map((one) => one.user_id)}::uuid[])`)
    .where('local_date', '>=', dates[0] ?? '')
    .where('template_id', 'in', [...new Set(candidates.map((one) => one.id))])
    .where('state', 'in', ['released', 'accepted', 'unknown', 'refused'])
    .where('is_test', '=', false)
    .execute();
  return new Set(rows.map((row) => `${row.user_id}/${row.template_id}`));
}
