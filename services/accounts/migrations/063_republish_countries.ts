import { type Kysely, sql } from 'kysely';

/** Publishes every user again, with the country of the number, for billing's figures by country. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into users_to_republish (user_id) select id from users on conflict do nothing`.execute(
    db,
  );
}
