import { dayMs } from '@daylift/clock/durations';
import { type Generated, type Kysely, sql } from 'kysely';

/** Tables of a service that publishes and consumes events. */
export interface EventTables {
  outbox: {
    position: Generated<number>;
    id: string;
    type: string;
    occurred_at: Date;
    /** JSON text, exactly as sent. */
    payload: string;
    claimed_until: Date | null;
    sent_at: Date | null;
    /** The trace that it belongs to. */
    traceparent: string | null;
  };
  inbox: { event_id: string; type: string; handled_at: Date };
  parked_events: {
    event_id: string;
    type: string;
    payload: string;
    tries: number;
    error: string;
    parked_at: Date;
    /** How an admin ended it; the row stays for a while without its content. */
    ended_as: Generated<'replayed' | 'discarded' | null>;
    ended_at: Date | null;
  };
  /** Since when each event type has a handler. Older events were ignored. Rows are never deleted. */
  handled_types: { type: string; since: Date };
  relay_state: {
    singleton: Generated<boolean>;
    stream_created: string;
    /** Sent events below this position have yet to be published again. */
    resend_before: number | null;
  };
}

/** Events up to this age can be published again after NATS lost them; older rows are deleted. */
export const outboxRetentionMs = 14 * dayMs;

/** The first migration of every service. */
export async function createEventTables(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table outbox (
      position bigint generated always as identity primary key,
      id uuid not null unique,
      type text not null,
      occurred_at timestamptz not null,
      payload text not null,
      claimed_until timestamptz,
      sent_at timestamptz
    )`,
    // The relay reads only unsent rows, however large the table.
    sql`create index outbox_unsent on outbox (position) where sent_at is null`,
    sql`create index outbox_occurred on outbox (occurred_at)`,
    sql`create table inbox (event_id uuid primary key, type text not null, handled_at timestamptz not null)`,
    sql`create index inbox_handled on inbox (handled_at)`,
    sql`create table parked_events (
      event_id uuid primary key,
      type text not null,
      payload text not null,
      tries integer not null,
      error text not null,
      parked_at timestamptz not null
    )`,
    sql`create table relay_state (singleton boolean primary key default true check (singleton), stream_created text not null)`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/** Adds the trace of the publisher, in a later migration of every service. */
export async function traceOutbox(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox add column traceparent text`.execute(db);
}

/** Adds how failed events ended, in a later migration of every service. */
export async function extendParkedEvents(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table parked_events
      add column ended_as text check (ended_as in ('replayed', 'discarded')),
      add column ended_at timestamptz,
      add check ((ended_as is null) = (ended_at is null))`,
    sql`create index parked_events_open on parked_events (parked_at) where ended_as is null`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/** Creates `handled_types` in a later migration of every service. */
export async function createHandledTypes(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table handled_types (type text primary key, since timestamptz not null)`,
    sql`insert into handled_types select type, min(handled_at) from inbox group by type`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/** Adds the position of republishing, in a later migration of every service. */
export async function extendRelayState(db: Kysely<unknown>): Promise<void> {
  await sql`alter table relay_state add column resend_before bigint`.execute(db);
}
