import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // When the first charge of an invoice failed, also if it was paid later. Past ones have about the time of the charge.
  await sql`alter table invoices add column first_failed_at timestamptz`.execute(db);
  await sql`update invoices set first_failed_at = created_at
    where attempt_count > 1 or (attempt_count > 0 and status in ('open', 'uncollectible'))`.execute(
    db,
  );
  await sql`create index invoices_failed on invoices (first_failed_at) where first_failed_at is not null`.execute(
    db,
  );
  await sql`create index invoices_paid on invoices (paid_at) where amount_paid_cents > 0`.execute(
    db,
  );
  await sql`create index refunds_created on refunds (created_at)`.execute(db);
}
