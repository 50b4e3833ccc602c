import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table consents (
    id uuid primary key,
    user_id uuid not null,
    -- A keyed hash, because the proof outlives the number.
    phone_hash text not null,
    source text not null check (source in ('signup', 'reply')),
    wording_version text not null,
    given_at timestamptz not null,
    ip text,
    user_agent text,
    timezone text not null,
    delivery_hour smallint not null
  )`.execute(db);
  await sql`create index consents_of_user on consents (user_id, given_at)`.execute(db);
}
