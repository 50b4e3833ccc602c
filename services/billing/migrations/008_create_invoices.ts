import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table invoices (
    id text primary key,
    user_id uuid,
    read_ticket bigint not null,
    status text not null,
    currency text not null,
    amount_due_cents integer not null,
    amount_paid_cents integer not null,
    attempt_count integer not null,
    created_at timestamptz not null,
    paid_at timestamptz
  )`.execute(db);
  await sql`create index invoices_user on invoices (user_id, created_at desc)`.execute(db);
  await sql`create table refunds (
    id text primary key,
    read_ticket bigint not null,
    payment_intent_id text,
    status text not null,
    currency text not null,
    amount_cents integer not null,
    created_at timestamptz not null
  )`.execute(db);
}
