import { type Kysely, sql } from 'kysely';

/** Whether staff made a recipient's last change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table recipients add column changed_by_staff boolean not null default false`.execute(
    db,
  );
}
