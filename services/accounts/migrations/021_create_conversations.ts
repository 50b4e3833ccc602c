import { type Kysely, sql } from 'kysely';

/** Turns inbox messages into conversations with status. Replies by text join them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table conversations (
      id uuid primary key,
      kind text not null check (kind in ('support', 'contact', 'reply')),
      state text not null default 'open' check (state in ('open', 'closed')),
      user_id uuid references users (id) on delete cascade,
      -- Null for an unknown number, which is then stored.
      name text,
      email text,
      phone text,
      subject text not null,
      needs_review boolean not null default false,
      -- Whether the person's replies by text belong to this conversation.
      by_text boolean not null,
      last_at timestamptz not null,
      answered_at timestamptz,
      closed_at timestamptz,
      closed_by text,
      check ((state = 'closed') = (closed_at is not null)),
      check (email is not null or phone is not null)
    )`,
    sql`create index conversations_latest on conversations (state, last_at desc, id desc)`,
    sql`create index conversations_of_kind on conversations (state, kind, last_at desc, id desc)`,
    sql`create index conversations_all on conversations (last_at desc, id desc)`,
    sql`create index conversations_of_user on conversations (user_id, last_at desc)`,
    sql`create index conversations_of_email on conversations (email, last_at desc)`,
    sql`create index conversations_of_phone on conversations (phone, last_at desc) where phone is not null`,
    sql`insert into conversations (id, kind, user_id, name, email, subject, by_text, last_at)
      select id, kind, user_id, name, email, subject, false, created_at from letters`,
    sql`alter table letters drop constraint letters_kind_check, drop constraint letters_check,
      alter column name drop not null, alter column email drop not null,
      add column conversation_id uuid references conversations (id) on delete cascade,
      add column inbound_id text unique,
      add column needs_review boolean not null default false,
      add column words tsvector generated always as
        (to_tsvector('simple'::regconfig, coalesce(name, '') || ' ' || subject || ' ' || message)) stored,
      add check (kind in ('support', 'contact', 'reply')),
      add check ((kind = 'reply') = (inbound_id is not null))`,
    sql`update letters set conversation_id = id`,
    sql`alter table letters alter column conversation_id set not null`,
    sql`create index letters_of_conversation on letters (conversation_id, created_at)`,
    sql`create index letters_by_words on letters using gin (words)`,
    sql`create table answers (
      id uuid primary key,
      conversation_id uuid not null references conversations (id) on delete cascade,
      sent_by text not null check (sent_by in ('email', 'text')),
      message text not null,
      admin_id uuid not null,
      admin_username text not null,
      created_at timestamptz not null
    )`,
    sql`create index answers_of_conversation on answers (conversation_id, created_at)`,
    // Replies whose content isn't fetched yet. Wall clock, because it times calls to another service.
    sql`create table replies_to_fetch (
      inbound_id text primary key,
      user_id uuid references users (id) on delete cascade,
      needs_review boolean not null,
      received_at timestamptz not null,
      next_try_at timestamptz not null
    )`,
    sql`create index replies_to_fetch_next on replies_to_fetch (next_try_at)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
