import type { Kysely } from 'kysely';

/** `count_changes` has counted missed texts by day since 009; batches now add them up, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('batches')
    .addColumn('missed', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
