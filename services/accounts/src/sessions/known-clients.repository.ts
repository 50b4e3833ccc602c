import type { Kysely } from 'kysely';
import type { AccountsDatabase } from '../database.ts';

type Database = Kysely<AccountsDatabase>;

const rememberedMs = 90 * 24 * 60 * 60 * 1000;

/** Returns whether the account was signed in to from this client in the last 90 days. */
export async function isKnownClient(db: Database, key: string): Promise<boolean> {
  const since = new Date(Date.now() - rememberedMs);
  const row = await db
    .selectFrom('known_clients')
    .select('key')
    .where('key', '=', key)
    .where('seen_at', '>', since)
    .executeTakeFirst();
  return row !== undefined;
}

export async function rememberClient(db: Database, key: string): Promise<void> {
  const seen_at = new Date();
  await db
    .insertInto('known_clients')
    .values({ key, seen_at })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ seen_at }))
    .execute();
}

export async function deleteOldClients(db: Database): Promise<void> {
  const since = new Date(Date.now() - rememberedMs);
  await db.deleteFrom('known_clients').where('seen_at', '<=', since).execute();
}
