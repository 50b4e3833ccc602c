import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table users (
    id uuid primary key,
    -- Incremented by every published change.
    version integer not null default 1 check (version >= 1),
    session_version integer not null default 0,
    name text not null,
    -- One account per email and per phone, also when two people sign up at once.
    email text not null constraint users_email_key unique check (email = lower(email)),
    phone text not null constraint users_phone_key unique check (phone ~ '^\\+[1-9][0-9]{6,14}$'),
    -- The version that brought this number. A YES to an earlier number doesn't count.
    phone_since_version integer not null default 1,
    password_hash text not null,
    timezone text not null,
    delivery_hour smallint not null check (delivery_hour between 0 and 23),
    frequency text not null check (frequency in ('daily', 'weekly')),
    weekday smallint check (weekday between 1 and 7),
    is_active boolean not null default true,
    delivery_enabled boolean not null default true,
    paused_until date,
    consent text not null check (consent in ('granted', 'pending', 'revoked')),
    -- When the last setting was changed by a reply. Older ones that arrive late change nothing.
    reply_setting_at timestamptz,
    referral_code text constraint users_referral_code_key unique,
    referrer_user_id uuid references users (id),
    referral_count integer not null default 0 check (referral_count >= 0),
    -- Copies of other services' data, for display.
    opted_out boolean not null default false,
    opted_out_at timestamptz,
    plan text not null check (plan in ('monthly', 'yearly')),
    subscription_status text not null default 'pending',
    subscription_version integer not null default 0,
    last_message_sent timestamptz,
    registered_at timestamptz not null,
    check ((frequency = 'weekly') = (weekday is not null))
  )`.execute(db);
  await sql`create index users_newest on users (registered_at desc, id desc)`.execute(db);
}
