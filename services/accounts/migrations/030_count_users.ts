import { countRows, createCounterTables } from '@daylift/database/counters';
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createCounterTables(db);
  await countRows(db, 'users', [
    { name: `'users.total'`, adds: '1' },
    { name: `'users.active'`, adds: 'is_active::integer' },
  ]);
}
