import { type Kysely, sql } from 'kysely';

/** Receipts and replies from the provider, stored before they are acknowledged. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // Without number and content, which the text has. `text_id` is null if no text matches.
    sql`create table receipts (
      event_id text primary key,
      event_type text not null,
      provider_id text not null,
      text_id text,
      status text not null,
      error_code text,
      parts smallint,
      cost numeric(12, 5),
      currency text,
      occurred_at timestamptz not null,
      received_at timestamptz not null
    )`,
    sql`create index receipts_received on receipts (received_at)`,
    sql`create index receipts_priced on receipts (received_at desc) where cost > 0 and parts > 0`,
    sql`create table inbound_texts (
      id text primary key,
      from_number text not null,
      user_id uuid,
      content text not null,
      meaning text not null,
      needs_review boolean not null,
      received_at timestamptz not null
    )`,
    sql`create index inbound_of_user on inbound_texts (user_id, received_at desc) where user_id is not null`,
    sql`create index inbound_of_number on inbound_texts (from_number, received_at)`,
    sql`create index inbound_to_read on inbound_texts (received_at desc) where needs_review or meaning = 'other'`,
  ];
  for (const statement of statements) await statement.execute(db);
}
