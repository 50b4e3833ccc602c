import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table letters (
    id uuid primary key,
    kind text not null check (kind in ('support', 'contact')),
    -- Null for a visitor.
    user_id uuid references users (id) on delete cascade,
    name text not null,
    email text not null,
    subject text not null,
    message text not null,
    -- A keyed hash of the visitor's address, for the rate limit.
    address_hash text,
    created_at timestamptz not null,
    check ((kind = 'support') = (user_id is not null))
  )`.execute(db);
  await sql`create index letters_newest on letters (created_at desc)`.execute(db);
  await sql`create index letters_of_user on letters (user_id)`.execute(db);
  await sql`create index letters_of_email on letters (email, created_at)`.execute(db);
  await sql`create index letters_of_address on letters (address_hash, created_at)`.execute(db);
}
