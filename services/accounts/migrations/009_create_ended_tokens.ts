import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table ended_tokens (
    token_id uuid primary key,
    -- When the token expires by itself; the row can go then.
    expires_at timestamptz not null
  )`.execute(db);
  await sql`create index ended_tokens_age on ended_tokens (expires_at)`.execute(db);
}
