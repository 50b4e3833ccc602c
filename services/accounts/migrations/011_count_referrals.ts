import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // referral_count is billing's; of two counts that overtook each other the newer one stays.
  await sql`alter table users add column referrals_version integer not null default 0`.execute(db);
}
