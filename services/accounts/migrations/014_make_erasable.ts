import { createErasureTable } from '@daylift/events/erase';
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createErasureTable(db);
  const statements = [
    // The proof of consent outlives the account: hash, wording and time.
    sql`alter table consents alter column timezone drop not null, alter column delivery_hour drop not null`,
    // Referred users stay when their referrer is deleted.
    sql`alter table users drop constraint users_referrer_user_id_fkey`,
    sql`alter table users add constraint users_referrer_user_id_fkey
      foreign key (referrer_user_id) references users (id) on delete set null`,
    sql`create index users_by_referrer on users (referrer_user_id) where referrer_user_id is not null`,
    sql`create index mails_by_address on mails (to_address)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
