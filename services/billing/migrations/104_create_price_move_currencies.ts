import { type Kysely, sql } from 'kysely';

/** A new column of price_moves would break the previous version, which selects all and groups by those it knows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table price_move_currencies (
    move_id uuid primary key references price_moves,
    currency text not null
  )`.execute(db);
}
