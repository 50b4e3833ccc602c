import { type Kysely, sql } from 'kysely';
import { createEventTables } from '../../src/event-tables.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createEventTables(db);
  await sql`create table effects (event_id uuid not null, note text not null)`.execute(db);
}
