import { type Kysely, sql } from 'kysely';

/** One row per text. See src/texts/text-states.ts for its states. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // `lease_until` and `enqueued_at` are wall clock, because they time processes; the rest is product time.
    sql`create table texts (
      id text not null,
      local_date date not null,
      kind text not null check (kind in ('daily', 'announcement', 'welcome', 'consent_request', 'help', 'confirmation')),
      user_id uuid,
      batch_id uuid,
      scheduled_message_id uuid,
      content text not null,
      windows jsonb not null,
      deadline_at timestamptz not null,
      slot jsonb,
      state text not null default 'queued' check (state in ('queued', 'claimed', 'inflight', 'skipped', 'missed',
        'superseded', 'refused', 'unknown', 'accepted', 'sent', 'failed', 'delivered')),
      reason text,
      error_code text,
      attempts integer not null default 0,
      attempt_token uuid,
      lease_until timestamptz,
      next_attempt_at timestamptz not null,
      enqueued_at timestamptz,
      round integer not null default 0,
      reply_to text,
      to_number text,
      body text,
      is_test boolean not null default false,
      provider_id text,
      handed_at timestamptz,
      settled_at timestamptz,
      finalized_at timestamptz,
      parts smallint,
      cost numeric(12, 5),
      currency text,
      check_at timestamptz,
      checks smallint not null default 0,
      created_at timestamptz not null,
      primary key (id, local_date),
      check ((state in ('claimed', 'inflight')) = (lease_until is not null)),
      check (state not in ('claimed', 'inflight') or attempt_token is not null),
      check (state <> 'inflight' or (to_number is not null and body is not null and handed_at is not null)),
      check (state not in ('accepted', 'sent', 'delivered') or provider_id is not null)
    ) partition by range (local_date)`,
    sql`create table texts_default partition of texts default`,
    // At most one daily text per subscriber and date, whatever the scheduler hands over.
    sql`create unique index texts_one_a_day on texts (user_id, local_date) where kind = 'daily' and not is_test
      and state in ('inflight', 'unknown', 'accepted', 'sent', 'failed', 'delivered')`,
    sql`create index texts_due on texts (next_attempt_at) where state = 'queued'`,
    sql`create index texts_deadline on texts (deadline_at) where state = 'queued'`,
    sql`create index texts_leased on texts (lease_until) where state in ('claimed', 'inflight')`,
    sql`create index texts_to_check on texts (check_at) where check_at is not null`,
    sql`create index texts_provider_id on texts (provider_id) where provider_id is not null`,
    sql`create index texts_of_user on texts (user_id, local_date)`,
    sql`create index texts_of_batch on texts (batch_id) where batch_id is not null`,
    // Makes a transactional text unique: "welcome:<user>", "consent_request:<user>:<number version>",
    // "reply:<inbound text>".
    sql`create table own_text_keys (key text primary key, text_id text not null, created_at timestamptz not null)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
