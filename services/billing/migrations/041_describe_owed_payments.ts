import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscriptions
    -- Open invoices of a past due subscription; null if nothing is owed.
    add column owed_cents integer,
    -- Whether the card on file is the one that was declined.
    add column card_declined boolean not null default false`.execute(db);
  await sql`alter table plan_changes
    drop constraint plan_changes_action_check,
    add constraint plan_changes_action_check
      check (action in ('upgrade', 'switch', 'cancel', 'undo_cancel', 'pay')) not valid`.execute(
    db,
  );
}
