import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index checkouts_promotion on checkouts (promotion_id, status) where promotion_id is not null`.execute(
    db,
  );
}
