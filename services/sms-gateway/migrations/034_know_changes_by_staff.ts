import { type Kysely, sql } from 'kysely';

/**
 * Whether staff made a recipient's last change. Named as in the event, because the previous version inserts every field
 * of the event.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table recipients add column by_staff boolean not null default false`.execute(db);
}
