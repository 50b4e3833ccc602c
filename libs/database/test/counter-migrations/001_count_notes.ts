import { type Kysely, sql } from 'kysely';
import { countRows, createCounterTables } from '../../src/counters.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table notes (id integer primary key, kind text not null, note text not null)`.execute(
    db,
  );
  await sql`insert into notes values (-1, 'old', 'from before')`.execute(db);
  await createCounterTables(db);
  await countRows(db, 'notes', [
    { name: `'notes'`, adds: '1' },
    { name: `'letters.' || kind`, adds: 'length(note)' },
  ]);
}
