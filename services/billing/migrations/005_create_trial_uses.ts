import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table trial_uses (
    kind text not null check (kind in ('email', 'phone', 'card')),
    -- Keyed hash of the email or phone, or the provider's card fingerprint.
    mark text not null,
    user_id uuid not null,
    used_at timestamptz not null,
    primary key (kind, mark)
  )`.execute(db);
}
