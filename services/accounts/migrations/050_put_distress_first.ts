import { type Kysely, sql } from 'kysely';

/** Conversations of people who may be in danger come first in the inbox. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const order = 'in_distress desc, last_at desc, id desc';
  const statements = [
    'alter table conversations add column in_distress boolean not null default false',
    'drop index conversations_latest',
    'drop index conversations_of_kind',
    'drop index conversations_all',
    'drop index conversations_unanswered',
    'drop index conversations_of_assignee',
    `create index conversations_latest on conversations (state, ${order})`,
    `create index conversations_of_kind on conversations (state, kind, ${order})`,
    `create index conversations_all on conversations (${order})`,
    `create index conversations_unanswered on conversations (${order})
      where state = 'open' and (answered_at is null or answered_at < last_at)`,
    `create index conversations_of_assignee on conversations (assignee_id, ${order})
      where assignee_id is not null`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
