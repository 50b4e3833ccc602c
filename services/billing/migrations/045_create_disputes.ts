import { countRows } from '@daylift/database/counters';
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table disputes (
    id text primary key,
    read_ticket bigint not null,
    payment_intent_id text,
    -- inquiry: a question of the bank, before any money is withdrawn.
    state text not null check (state in ('inquiry', 'open', 'won', 'lost', 'closed')),
    reason text not null,
    currency text not null,
    amount_cents integer not null,
    -- What the provider's ledger is short of because of it, without fees.
    withdrawn_cents integer not null,
    created_at timestamptz not null,
    -- When evidence is due. Null once it was submitted, or isn't wanted.
    respond_by timestamptz
  )`.execute(db);
  await sql`create index disputes_payment on disputes (payment_intent_id)`.execute(db);
  await sql`create index disputes_unanswered on disputes (respond_by) where respond_by is not null`.execute(
    db,
  );
  await countRows(db, 'disputes', [
    { name: `'revenue.disputed_cents.' || currency`, adds: 'withdrawn_cents' },
  ]);
}
