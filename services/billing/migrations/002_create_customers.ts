import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table customers (
    user_id uuid primary key,
    email text not null,
    name text not null,
    timezone text not null,
    plan text not null check (plan in ('monthly', 'yearly')),
    email_hash text not null,
    phone_hash text not null,
    referrer_user_id uuid,
    registered_at timestamptz not null,
    stripe_customer_id text unique,
    deleted_at timestamptz
  )`.execute(db);
}
