import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // The restored value's proof.
    sql`alter table contact_links add column proof text`,
    // A code proves only the address it was sent to.
    sql`alter table one_time_codes add column address_hash text`,
    sql`drop index one_time_codes_open`,
    sql`create unique index one_time_codes_open on one_time_codes (user_id, purpose) where closed_at is null`,
    sql`alter table limited_calls drop constraint limited_calls_call_check`,
    sql`alter table limited_calls add constraint limited_calls_call_check
      check (call in ('consent-request', 'letter', 'export', 'email-change'))`,
  ];
  for (const statement of statements) await statement.execute(db);
}
