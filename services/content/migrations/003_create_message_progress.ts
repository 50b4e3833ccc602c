import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // No foreign key: counts may arrive after the message was deleted.
  await sql`create table message_progress (
    scheduled_message_id uuid not null,
    batch_id uuid not null,
    version integer not null,
    total integer not null,
    successful integer not null,
    failed integer not null,
    pending integer not null,
    primary key (scheduled_message_id, batch_id)
  )`.execute(db);
}
