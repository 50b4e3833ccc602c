import { type Kysely, sql } from 'kysely';

const tables = [
  'customers',
  'checkouts',
  'subscriptions',
  'plan_changes',
  'promotions',
  'price_moves',
];

/** The list of plans grows without a migration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of tables)
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(`${table}_plan_check`)}`.execute(
      db,
    );
}
