import { type Kysely, sql } from 'kysely';

/** Opt-outs by admins for subscribers who asked by phone, email or letter. The note is the proof. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table opt_outs drop constraint opt_outs_source_check,
      add constraint opt_outs_source_check check (source in ('keyword', 'phrase', 'provider', 'staff'))`,
    sql`create table staff_opt_outs (
      user_id uuid not null,
      opted_out_at timestamptz not null,
      admin text not null,
      note text not null,
      primary key (user_id, opted_out_at)
    )`,
  ];
  for (const statement of statements) await statement.execute(db);
}
