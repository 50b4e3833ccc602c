import type { ActingAdmin } from '@daylift/server/acting-admin';
import { type Kysely, sql } from 'kysely';
import { byAdmin, recordAudit } from '../admins/audit.ts';
import type { AccountsDatabase } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';

const apartMs = 60_000;

/** Records that an admin reads many subscribers' data, at most once a minute, so further pages count as one access. */
export async function recordAccess(
  { db, clock }: Pick<AccountsDeps, 'db' | 'clock'>,
  by: ActingAdmin,
  action: 'users.listed',
): Promise<void> {
  const now = clock.now();
  if (await isRecorded(db, by, action, now)) return;
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`look:${by.username}`}))`.execute(trx);
    if (await isRecorded(trx, by, action, now)) return;
    await recordAudit(trx, now, { ...byAdmin(by), action, target: null });
  });
}

async function isRecorded(
  db: Kysely<AccountsDatabase>,
  by: ActingAdmin,
  action: string,
  now: Date,
): Promise<boolean> {
  const found = await db
    .selectFrom('audit_log')
    .select('position')
    .where('actor_username', '=', by.username)
    .where('action', '=', action)
    .where('at', '>', new Date(now.getTime() - apartMs))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
