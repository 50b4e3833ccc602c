import { type Kysely, sql } from 'kysely';

/** Numbers that wait for proof, and replies from unproven numbers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // `must_confirm`: another subscriber claimed or proved the number first, so this one must reply YES.
    sql`alter table recipients add column pending_phone text, add column pending_hash text,
      add column must_confirm boolean not null default false`,
    sql`create index recipients_pending on recipients (pending_hash) where pending_hash is not null`,
    sql`alter table inbound_texts add column from_proven boolean not null default true`,
  ];
  for (const statement of statements) await statement.execute(db);
}
