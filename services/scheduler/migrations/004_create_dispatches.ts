import { type Kysely, sql } from 'kysely';

/** The plan: at most one text per subscriber, local date and kind, by primary key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // The id is derived from the key, so planning the same text again gives the same id, and the
    // receiver's primary key rejects the second one. Planning a date again after its text provably wasn't sent
    // increments the generation and so changes the id.
    sql`create function dispatch_id(user_id uuid, local_date date, kind text, generation integer) returns text
      language sql immutable strict parallel safe
      return lpad((extract(year from local_date) * 10000 + extract(month from local_date) * 100
          + extract(day from local_date))::int::text, 8, '0')
        || '-' || left(encode(sha256((user_id::text || '/' || local_date::text || '/' || kind || '/' || generation::text)::bytea), 'hex'), 32)`,
    sql`create table dispatches (
      user_id uuid not null,
      local_date date not null,
      kind text not null check (kind = 'daily' or kind like 'announcement:%'),
      generation integer not null default 1,
      id text not null check (id = dispatch_id(user_id, local_date, kind, generation)),
      state text not null default 'planned' check (state in
        ('planned', 'released', 'accepted', 'skipped', 'missed', 'refused', 'unknown', 'superseded')),
      due_at timestamptz not null,
      timezone text not null,
      delivery_hour smallint,
      frequency text,
      weekday smallint,
      staff_send_id uuid,
      scheduled_message_id uuid,
      template_id uuid,
      batch_id uuid,
      windows jsonb,
      reason text,
      is_test boolean not null default false,
      released_at timestamptz,
      republish_at timestamptz,
      republished integer not null default 0,
      settled_at timestamptz,
      primary key (user_id, local_date, kind),
      -- Daily texts have an hour and a frequency; manual sends and announcements don't.
      check ((delivery_hour is null) = (frequency is null)),
      check ((delivery_hour is not null) = (kind = 'daily' and staff_send_id is null)),
      check (state <> 'released' or (batch_id is not null and windows is not null and released_at is not null
        and republish_at is not null and (scheduled_message_id is null) <> (template_id is null)))
    ) partition by range (local_date)`,
    sql`create table dispatches_default partition of dispatches default`,
    sql`create index dispatches_due on dispatches (due_at) where state = 'planned'`,
    sql`create index dispatches_unanswered on dispatches (republish_at) where state = 'released'`,
    sql`create index dispatches_open_date on dispatches (local_date) where state in ('planned', 'released')`,
    sql`create index dispatches_of_staff_send on dispatches (staff_send_id) where staff_send_id is not null`,
    sql`create index dispatches_of_message on dispatches (scheduled_message_id, user_id)
      where scheduled_message_id is not null`,
    sql`create table batches (
      id uuid primary key,
      key text not null unique,
      kind text not null check (kind in ('scheduled', 'manual_run', 'staff_send')),
      name text not null,
      created_at timestamptz not null
    )`,
  ];
  for (const statement of statements) await statement.execute(db);
}
