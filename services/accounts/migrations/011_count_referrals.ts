import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // referral_count comes from billing. The newer of two counts wins, in whatever order they arrive.
  await sql`alter table users add column referrals_version integer not null default 0`.execute(db);
}
