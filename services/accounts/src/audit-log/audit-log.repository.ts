import type { AuditCheck, AuditEntry, AuditQuery } from '@daylift/contracts/audit.http';
import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { AccountsDatabase, Db, Trx } from '../database.ts';
import { NoSuchInstant } from '../errors.ts';

export interface Anchor {
  entry: number;
  hash: string;
  at: Date;
}

const uuid = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
const checkBatchSize = 10_000;

interface EntryRow {
  position: number;
  at: Date;
  actor_username: string | null;
  action: string;
  target: string | null;
  details: Record<string, unknown> | null;
  ip: string | null;
  user_name: string | null;
  target_username: string | null;
}

/** Newest first; every filter is served by an index. */
export async function listEntries(db: Db, query: AuditQuery): Promise<AuditEntry[]> {
  const { admin, action, target, from, to, before_entry } = query;
  const wanted = [
    ...(admin === undefined ? [] : [sql`actor_username = ${admin}`]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
    ...(target === undefined ? [] : [isTarget(target)]),
    ...(from === undefined ? [] : [sql`at >= ${readInstant(from)}`]),
    ...(to === undefined ? [] : [sql`at < ${readInstant(to)}`]),
    ...(before_entry === undefined
      ? []
      : [
          sql`(at, position) < (select at, position from audit.audit_log where position = ${before_entry})`,
        ]),
    sql`true`,
  ];
  const { rows } = await sql<EntryRow>`
    with page as (
      select *, case when target ~ ${uuid} then target::uuid end as target_id
      from audit.audit_log where ${sql.join(wanted, sql` and `)}
      order by at desc, position desc limit ${query.limit}
    )
    select page.position, page.at, actor_username, action, target, details, ip,
      users.name as user_name, admins.username as target_username
    from page
    left join users on users.id = target_id
    left join admins on admins.id = target_id
    order by page.at desc, page.position desc`.execute(db);
  return rows.map(viewOf);
}

/** An id, or the name or email of a subscriber or admin. */
const isTarget = (target: string): RawBuilder<unknown> =>
  new RegExp(uuid).test(target)
    ? sql`target = ${target}`
    : sql`target in (
        select ${target}
        union select id::text from users where lower(name) = lower(${target})
        union select id::text from users where email = lower(${target})
        union select id::text from admins where username = lower(${target}) or email = lower(${target}))`;

function readInstant(text: string): Date {
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime())) throw new NoSuchInstant();
  return instant;
}

const viewOf = ({ user_name, target_username, ...row }: EntryRow): AuditEntry => ({
  entry: row.position,
  at: row.at.toISOString(),
  admin: row.actor_username,
  action: row.action,
  target: row.target,
  target_subscriber:
    row.target !== null && user_name !== null ? { id: row.target, name: user_name } : null,
  target_admin: target_username,
  details: row.details,
  ip: row.ip,
});

/**
 * Checks that each of the next entries fits the one before it, and that the log still has the anchored entry.
 * Positions have no gaps unless someone made them.
 */
export async function checkChain(
  db: Db,
  after: number,
  anchor: Anchor | null,
): Promise<AuditCheck> {
  const { rows } = await sql<{ broken_at: number | null; newest: number | null }>`
    with part as (
      select position, hash, audit.audit_hash(lag(hash) over (order by position), entry) as expected
      from audit.audit_log as entry where position between ${after} and ${after + checkBatchSize}
    )
    select min(position) filter (where hash <> expected and position > ${after}) as broken_at,
      (select max(position) from audit.audit_log) as newest
    from part`.execute(db);
  const lost = anchor === null ? null : await lostAfter(db, anchor);
  const broken_at = rows[0]?.broken_at ?? lost;
  const newest = rows[0]?.newest ?? 0;
  const checked_to = Math.min(after + checkBatchSize, newest);
  return { checked_to, broken_at, done: broken_at !== null || checked_to === newest };
}

export async function findNewestEntry(db: Db): Promise<Omit<Anchor, 'at'> | null> {
  const { rows } = await sql<
    Omit<Anchor, 'at'>
  >`select position as entry, encode(hash, 'hex') as hash
    from audit.audit_log order by position desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Returns the first entry that is missing or is another than the anchored one, or null. */
export async function lostAfter(db: Db, { entry, hash }: Anchor): Promise<number | null> {
  const { rows } = await sql<{ newest: number; same: boolean }>`
    select coalesce(max(position), 0) as newest,
      exists (select from audit.audit_log where position = ${entry} and hash = decode(${hash}, 'hex')) as same
    from audit.audit_log`.execute(db);
  const { newest, same } = rows[0] ?? { newest: 0, same: false };
  return same ? null : Math.min(newest + 1, entry);
}

export async function insertEntry(
  trx: Trx,
  entry: Insertable<AccountsDatabase['audit.audit_log']>,
): Promise<void> {
  await trx.insertInto('audit.audit_log').values(entry).execute();
}

export async function hasEntry(
  db: Db,
  { action, target }: { action: string; target: string },
): Promise<boolean> {
  const entry = await db
    .selectFrom('audit.audit_log')
    .select('position')
    .where('target', '=', target)
    .where('action', '=', action)
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined;
}

export async function hasActed(
  db: Db,
  username: string,
  action: string,
  after: Date,
): Promise<boolean> {
  const entry = await db
    .selectFrom('audit_log')
    .select('position')
    .where('actor_username', '=', username)
    .where('action', '=', action)
    .where('at', '>', after)
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined;
}
