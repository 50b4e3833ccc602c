import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '@daylift/contracts/audit.http';
import { createDatabase } from '@daylift/database/create-database';
import type { Logger } from '@daylift/server/logger';
import { requiredUrl } from '@daylift/testing/servers';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aUser } from '../../test/factories.ts';
import { asAdmin, createHarness, type Harness } from '../../test/harness.ts';
import { anchorLoop } from './anchors.ts';
import { recordAudit } from './audit.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const adminAction = (
  action: string,
  entry: { username?: string; target?: string; at?: string } = {},
) => {
  const { username = 'vera', target = null, at } = entry;
  return harness.deps.db.transaction().execute((trx) =>
    recordAudit(trx, at === undefined ? harness.clock.now() : new Date(at), {
      actor: { admin_id: randomUUID(), username },
      action,
      target,
      details: { note: 'ü "x"' },
      ip: '203.0.113.7',
      request_id: randomUUID(),
    }),
  );
};
const read = async (query: Record<string, string>) => {
  const url = `/admin/audit-log?${new URLSearchParams(query)}`;
  const response = await harness.call({ url, as: asAdmin('owner') });
  return response.json<AuditEntry[]>();
};
const verify = async (after = 0) => {
  const url = `/admin/audit-log/verify?after_entry=${after}`;
  return (await harness.call({ url, as: asAdmin('owner') })).json<object>();
};
const newest = async () => {
  const { rows } = await sql<{
    position: number;
  }>`select max(position) as position from audit_log`.execute(harness.deps.db);
  return rows[0]?.position ?? 0;
};

const asSuperuser = async (use: (db: Kysely<unknown>) => Promise<void>) => {
  const url = new URL(requiredUrl('TEST_DATABASE_ADMIN_URL'));
  url.pathname = new URL(harness.databaseUrl).pathname;
  const db = createDatabase<unknown>({
    url: url.href,
    max: 1,
    name: 'superuser',
    onError: () => undefined,
  });
  await use(db).finally(() => db.destroy());
};

describe('GET /admin/audit-log', () => {
  it('filters by admin, action, target and time, newest first, in pages', async () => {
    const { id, name, email } = await aUser(harness);
    for (const day of ['01', '02', '03'])
      await adminAction('user.paused', {
        username: 'pat',
        target: id,
        at: `2027-01-${day}T10:00:00Z`,
      });
    await adminAction('user.deleted', { username: 'kim', target: id, at: '2027-01-04T10:00:00Z' });
    const days = (entries: AuditEntry[]) => entries.map(({ at }) => at.slice(8, 10));
    expect(days(await read({ admin: 'pat' }))).toEqual(['03', '02', '01']);
    expect(days(await read({ action: 'user.deleted' }))).toEqual(['04']);
    expect(days(await read({ target: id }))).toEqual(['04', '03', '02', '01']);
    for (const target of [email, email.toUpperCase()])
      expect(days(await read({ target }))).toEqual(['04', '03', '02', '01']);
    expect((await read({ target: name.toUpperCase(), limit: '4' })).length).toBeGreaterThan(3);
    const within = { from: '2027-01-02T00:00:00Z', to: '2027-01-04T10:00:00Z' };
    expect(days(await read(within))).toEqual(['03', '02']);
    const [first, second] = await read({ target: id, limit: '2' });
    expect(first).toMatchObject({
      admin: 'kim',
      target_subscriber: { id, name },
      ip: '203.0.113.7',
    });
    const rest = await read({ target: id, before_entry: String(second?.entry) });
    expect(days(rest)).toEqual(['02', '01']);
    expect(await read({ admin: "' or 1=1 --" })).toEqual([]);
  });

  it.each([
    'admin=a&admin=b',
    'action=deleted',
    "action=x.y'or1=1",
    'from=yesterday',
    'from=2027-12-31T23:59:60Z',
    'limit=0',
    'limit=201',
    'before_entry=x',
    'before_entry=-1',
  ])('rejects ?%s', async (query) => {
    const response = await harness.call({
      url: `/admin/audit-log?${query}`,
      as: asAdmin('owner'),
    });
    expect(response.statusCode).toBe(400);
  });

  it('is for owners only', async () => {
    for (const url of ['/admin/audit-log', '/admin/audit-log/verify'])
      for (const role of ['viewer', 'operator'] as const)
        expect((await harness.call({ url, as: asAdmin(role) })).statusCode).toBe(403);
  });

  it('reads only the rows it shows, even with filters in a long log', async () => {
    await sql`insert into audit_log (at, actor_username, action, target, ip, request_id)
      select timestamptz '2020-01-01' + n * interval '1 minute', 'admin ' || n % 4, 'a.n' || n % 4,
        'target ' || n % 4, '::1', n::text from generate_series(1, 8000) as n`.execute(
      harness.deps.db,
    );
    await asSuperuser(async (db) => void (await sql`analyze audit.audit_log`.execute(db)));
    const plans: string[] = [];
    for (const where of [
      sql`true`,
      sql`actor_username = 'admin 3'`,
      sql`action = 'a.n3'`,
      sql`target = 'target 3'`,
      sql`at >= '2020-01-01' and at < '2020-01-03'`,
    ]) {
      const { rows } = await sql<{
        'QUERY PLAN': string;
      }>`explain select * from audit_log where ${where}
        order by at desc, position desc limit 50`.execute(harness.deps.db);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan|Sort/);
  });
});

describe('Listing subscribers', () => {
  it('is audited once per minute and admin, even for concurrent pages', async () => {
    const [vera, kim] = [asAdmin('viewer'), { ...asAdmin('viewer'), username: 'kim' }];
    const search = (as: typeof vera | typeof kim) =>
      harness.call({ url: '/admin/users?search=a', as });
    const searches = async () => (await read({ action: 'users.listed' })).map(({ admin }) => admin);
    await Promise.all([search(vera), search(vera), search(vera), search(kim)]);
    expect((await searches()).toSorted()).toEqual(['kim', 'someone']);
    harness.clock.advance({ seconds: 61 });
    await search(vera);
    expect(await searches()).toHaveLength(3);
    expect(JSON.stringify(await read({ action: 'users.listed' }))).not.toContain('search');
  });
});

describe('The hash chain of the audit log', () => {
  it('stays a single chain under concurrent writes', async () => {
    const before = await newest();
    await Promise.all(
      Array.from({ length: 40 }, (_none, n) => adminAction('user.paused', { target: `${n}` })),
    );
    const last = await newest();
    expect(last).toBe(before + 40);
    expect(await verify()).toEqual({ checked_to: last, broken_at: null, done: true });
  });

  const tamper = (change: string) =>
    asSuperuser(async (db) => {
      for (const statement of [
        'set search_path = audit',
        'alter table audit_log disable trigger audit_log_append_only',
        change,
        'alter table audit_log enable trigger audit_log_append_only',
      ])
        await sql.raw(statement).execute(db);
    });

  it('detects where an entry was changed, rehashed or deleted', async () => {
    await adminAction('user.paused');
    await adminAction('user.deleted');
    const changed = (await newest()) - 1;
    await tamper(`update audit_log set actor_username = 'kim' where position = ${changed}`);
    expect(await verify()).toMatchObject({ broken_at: changed });
    await tamper(
      `update audit_log as entry set hash = audit_hash(previous.hash, entry)
        from audit_log as previous where entry.position = ${changed} and previous.position = ${changed - 1}`,
    );
    expect(await verify()).toMatchObject({ broken_at: changed + 1 });
    expect(await verify(changed + 1)).toMatchObject({ broken_at: null });
    await tamper(`delete from audit_log where position = ${changed}`);
    expect(await verify(changed - 1)).toMatchObject({ broken_at: changed + 1 });
    expect(await verify(changed)).toMatchObject({ broken_at: changed + 1 });
  });

  it.each([
    "update audit.audit_log set action = 'x'",
    'delete from audit.audit_log',
    'truncate audit.audit_log',
    'drop table audit.audit_log',
    'drop schema audit cascade',
    'alter table audit.audit_log disable trigger all',
    'alter table audit.audit_log owner to current_user',
    'drop trigger audit_log_append_only on audit.audit_log',
    'create or replace function audit.refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
    'set role daylift_audit',
  ])("can't be changed by the accounts role: %s", async (statement) => {
    await adminAction('user.paused');
    await expect(sql.raw(statement).execute(harness.deps.db)).rejects.toMatchObject({
      code: '42501',
    });
    expect(await verify((await newest()) - 1)).toMatchObject({ broken_at: null, done: true });
  });

  it("can't be changed by the owner of its table", () =>
    asSuperuser(async (db) => {
      await sql`set role daylift_audit`.execute(db);
      for (const change of ["update audit.audit_log set action = 'x'", 'truncate audit.audit_log'])
        await expect(sql.raw(change).execute(db)).rejects.toThrow('append-only');
    }));

  it('detects that the newest entries were deleted, and publishes no anchor that hides it', async () => {
    const errors: string[] = [];
    const lines: string[] = [];
    const log = {
      info: (_fields: unknown, line: string) => void lines.push(line),
      error: (_fields: unknown, line: string) => void errors.push(line),
    } as unknown as Pick<Logger, 'info' | 'error'>;
    const anchor = () => anchorLoop({ ...harness.deps, log }).run?.();
    for (let times = 0; times < 3; times += 1) await adminAction('user.paused');
    const last = await newest();
    expect(await anchor()).toBe(1);
    expect(lines).toEqual(['audit log anchored']);
    expect(await verify(last - 1)).toEqual({ checked_to: last, broken_at: null, done: true });
    await tamper(`delete from audit_log where position > ${last - 2}`);
    expect(await verify(last - 2)).toMatchObject({ broken_at: last - 1, done: true });
    expect(await anchor()).toBe(0);
    expect(errors).toEqual(['audit log does not match its anchor']);
    // New entries in their place don't fit either.
    for (let times = 0; times < 3; times += 1) await adminAction('user.paused');
    expect(await verify(last - 2)).toMatchObject({ broken_at: last });
  });
});
