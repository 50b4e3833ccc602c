import { type Kysely, sql } from 'kysely';

/**
 * Addresses were unique before, so each belongs to one account. Those used in a completed checkout, or
 * that sent a YES, count as proven.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update users set
    email_proven_at = case when subscription_version > 0 then registered_at end,
    email_proof = case when subscription_version > 0 then 'migrated' end,
    phone_proven_at = case when phone_holds then registered_at end,
    phone_proof = case when phone_holds then 'migrated' end
    from (
      select id as holder,
        (subscription_version > 0 and phone_since_version = 1)
        or (consent = 'granted' and exists (
          select 1 from consents where consents.user_id = users.id and consents.source = 'reply'
        )) as phone_holds
      from users
    ) as held
    where held.holder = users.id and (subscription_version > 0 or phone_holds)`.execute(db);
}
