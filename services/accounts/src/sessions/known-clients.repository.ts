import { type Kysely, sql } from 'kysely';
import type { AccountsDatabase } from '../database.ts';

type Database = Kysely<AccountsDatabase>;

const rememberedMs = 90 * 24 * 60 * 60 * 1000;
const rememberedSince = () => new Date(Date.now() - rememberedMs);

/** SQL: whether an account was signed up or signed in to from this client in the last 90 days. */
export const isKnownClient = (
  db: Database,
  account: 'users.id' | 'admins.id',
  clientHash: string,
) =>
  sql<boolean>`exists ${db
    .selectFrom('known_clients')
    .select('key')
    .where('key', '=', sql<string>`${sql.ref(account)} || '|' || ${clientHash}::text`)
    .where('seen_at', '>', rememberedSince())}`;

export async function rememberClient(
  db: Database,
  accountId: string,
  clientHash: string,
): Promise<void> {
  const seen_at = new Date();
  await db
    .insertInto('known_clients')
    .values({ key: `${accountId}|${clientHash}`, seen_at })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ seen_at }))
    .execute();
}

export async function forgetClients(db: Database, accountId: string): Promise<void> {
  await db.deleteFrom('known_clients').where('key', 'like', `${accountId}|%`).execute();
}

export async function deleteOldClients(db: Database): Promise<void> {
  await db.deleteFrom('known_clients').where('seen_at', '<=', rememberedSince()).execute();
}
