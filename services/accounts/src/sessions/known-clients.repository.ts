import { dayMs } from '@daylift/clock/durations';
import type { Cleanup } from '@daylift/database/cleanup';
import { sql } from 'kysely';
import type { AccountsDatabase, Db } from '../database.ts';

const rememberedMs = 90 * dayMs;
const rememberedSince = () => new Date(Date.now() - rememberedMs);

/** SQL: whether an account was signed up or signed in to from this client in the last 90 days. */
export const isKnownClient = (db: Db, account: 'users.id' | 'admins.id', clientHash: string) =>
  sql<boolean>`exists ${db
    .selectFrom('known_clients')
    .select('key')
    .where('key', '=', sql<string>`${sql.ref(account)} || '|' || ${clientHash}::text`)
    .where('seen_at', '>', rememberedSince())}`;

export async function rememberClient(db: Db, accountId: string, clientHash: string): Promise<void> {
  const seen_at = new Date();
  await db
    .insertInto('known_clients')
    .values({ key: `${accountId}|${clientHash}`, seen_at })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ seen_at }))
    .execute();
}

export async function forgetClients(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('known_clients').where('key', 'like', `${accountId}|%`).execute();
}

export const oldClients: Cleanup<AccountsDatabase> = {
  table: 'known_clients',
  column: 'seen_at',
  keptMs: rememberedMs,
  onWallClock: true,
};
