import type { AdminUser } from '@daylift/contracts/accounts.http';
import { maxListed } from '@daylift/contracts/limits';
import { UserSort } from '@daylift/contracts/managed-users.http';
import { createDatabase } from '@daylift/database/create-database';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aUser, setUser } from '../../test/factories.ts';
import { asAdmin, asUser, createHarness, type Harness } from '../../test/harness.ts';
import type { AccountsDatabase } from '../database.ts';
import type { User, UserChange } from '../users/users.table.ts';
import { listUsers } from './list-users.repository.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const list = (query = '', role: 'viewer' | 'owner' = 'owner') =>
  harness.call({ url: `/admin/users${query}`, as: asAdmin(role) });
const gotText = (id: string, at: string) =>
  harness.deps.db
    .updateTable('last_texts')
    .set({ sent_at: new Date(at) })
    .where('user_id', '=', id)
    .execute();
const idsOf = async (query: string, role?: 'viewer') =>
  (await list(query, role)).json<AdminUser[]>().map((user) => user.id);

describe('GET /admin/users', () => {
  it('lists the newest first, in pages, with the total', async () => {
    const { db } = harness.deps;
    harness.clock.advance({ hours: 1 });
    const older = await aUser(harness);
    harness.clock.advance({ hours: 1 });
    const newer = await aUser(harness);
    const { total } = await db
      .selectFrom('users')
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const first = await list('?limit=1');
    expect(first.json<AdminUser[]>().map((user) => user.id)).toEqual([newer.id]);
    expect(await idsOf('?limit=1&offset=1')).toEqual([older.id]);
    expect(first.headers['x-total-count']).toBe(String(total));
    expect(first.json<AdminUser[]>()[0]).toEqual({
      id: newer.id,
      name: 'Ada Lovelace',
      email: newer.email,
      phone: newer.phone,
      is_active: true,
      delivery_enabled: true,
      consent: 'granted',
      opted_out: false,
      unreachable: null,
      timezone: 'America/Chicago',
      delivery_time: '09:00',
      delivery_frequency: 'daily',
      subscription_status: 'pending',
      plan: 'monthly',
      last_message_sent: null,
      created_at: harness.clock.now().toISOString(),
      period_end: null,
      renews: false,
    });
  });

  it('finds word prefixes of name and email, and digits of the number', async () => {
    const user = await aUser(harness, { phone: '+442079460958' });
    await setUser(harness, user.id, { name: 'Zoé Q. 100%_Quist' });
    const searches = ['zoé', 'ZOÉ quis', '100%_q', 'quist zo', user.email, user.email.slice(0, 5)];
    for (const search of [...searches, '20 7946', '+442079460958', '946 0958', '0958'])
      expect(await idsOf(`?search=${encodeURIComponent(search)}`), search).toContain(user.id);
    for (const search of ["' or 1=1--", '%%', '___', '\\', "'", ':*', '=active', '#442', 'uist'])
      expect(await idsOf(`?search=${encodeURIComponent(search)}`), search).not.toContain(user.id);
    // Changed values are searchable.
    await setUser(harness, user.id, { phone: '+442079460111' });
    expect(await idsOf('?search=7946-0111')).toEqual([user.id]);
    expect(await idsOf('?search=0958')).toEqual([]);
  });

  it("masks phone and email for viewers, who can't search for them either", async () => {
    const user = await aUser(harness, { name: 'Viola Veiled', phone: '+13125550777' });
    const [row] = (await list('?search=viola%20veiled', 'viewer')).json<AdminUser[]>();
    expect(row).toMatchObject({
      phone: '+1••••••••77',
      email: user.email.replace(/^(.).*@/, '$1•••@'),
    });
    expect(await idsOf(`?search=${user.email}`, 'viewer')).toEqual([]);
    for (const word of user.email.split(/[@.]/)) {
      expect(await idsOf(`?search=${word}`)).toContain(user.id);
      expect(await idsOf(`?search=${word}`, 'viewer'), word).not.toContain(user.id);
      expect(await idsOf(`?search=viola%20${word}`, 'viewer'), word).toEqual([]);
    }
    for (const digits of ['5550777', '%2B13125550777', '13125550777', '0777'])
      expect(await idsOf(`?search=${digits}`, 'viewer')).toEqual([]);
  });

  it('combines all filters with each other and with a search', async () => {
    const marked = async (states: UserChange) => {
      const { id } = await aUser(harness, { name: 'Filtered Person' });
      await setUser(harness, id, states);
      return id;
    };
    const plain = await marked({ is_active: true });
    const paused = await marked({ is_active: false });
    const trial = await marked({ subscription_status: 'trial', delivery_enabled: false });
    const pending = await marked({ consent: 'pending', opted_out: true });
    const found = async (query: string) => (await idsOf(`?search=filtered&${query}`)).sort();
    expect(await found('')).toEqual([plain, paused, trial, pending].sort());
    expect(await found('status=active')).toEqual([plain, trial, pending].sort());
    expect(await found('status=paused')).toEqual([paused]);
    expect(await found('subscription=trial')).toEqual([trial]);
    expect(await found('subscription=pending&status=active')).toEqual([plain, pending].sort());
    expect(await found('consent=pending')).toEqual([pending]);
    expect(await found('consent=granted&delivery=on')).toEqual([plain, paused].sort());
    expect(await found('delivery=off')).toEqual([trial]);
    expect(await found('opted_out=true')).toEqual([pending]);
    expect(await found('opted_out=false&status=paused&subscription=trial')).toEqual([]);
  });

  it('shows free access as such, and finds it by that instead of the ended plan', async () => {
    const marked = async (states: Partial<User>) => {
      const { id } = await aUser(harness, { name: 'Gifted Person' });
      await setUser(harness, id, states);
      return id;
    };
    const expired = await marked({ subscription_status: 'expired' });
    const canceled = await marked({ subscription_status: 'canceled' });
    const given = await marked({ subscription_status: 'expired', entitled: true });
    const left = await marked({ subscription_status: 'canceled', entitled: true });
    const paying = await marked({ subscription_status: 'active', entitled: true });
    const found = async (query: string) => (await idsOf(`?search=gifted&${query}`)).sort();
    expect(await found('subscription=expired')).toEqual([expired]);
    expect(await found('subscription=canceled')).toEqual([canceled]);
    expect(await found('subscription=free_access')).toEqual([given, left].sort());
    expect(await found('subscription=active')).toEqual([paying]);
    const listed = (await list('?subscription=free_access')).json<AdminUser[]>();
    expect(listed.map(({ id }) => id).sort()).toEqual([given, left].sort());
    expect(listed.map((user) => user.subscription_status)).toEqual(['free_access', 'free_access']);
    const sorted = (await list('?search=gifted&sort=status')).json<AdminUser[]>();
    expect(sorted.map((user) => user.subscription_status)).toEqual([
      'active',
      ...['free_access', 'free_access'],
      ...['canceled', 'expired'],
    ]);
  });

  it('sorts by every column that has an index, in both directions', async () => {
    const sorted = async (name: string, time: string, last: string | null, contact: UserChange) => {
      harness.clock.advance({ hours: 1 });
      const { id } = await aUser(harness, { name: `${name} Sorted`, delivery_time: time });
      await setUser(harness, id, contact);
      if (last !== null) await gotText(id, last);
      return id;
    };
    const renewing = (day: number, subscription_status: 'active' | 'past_due') => ({
      ...{ subscription_status, period_end: new Date(Date.UTC(2027, 3, day)), renews: true },
    });
    const bea = await sorted('bea', '22:00', '2027-03-02T00:00:00Z', {
      email: 'c@sorted.example',
      phone: '+13125550801',
      ...renewing(9, 'active'),
    });
    const Al = await sorted('Al', '07:00', null, {
      email: 'b@sorted.example',
      phone: '+442079460803',
    });
    const Cy = await sorted('Cy', '09:00', '2027-03-05T00:00:00Z', {
      email: 'a@sorted.example',
      phone: '+13125550802',
      ...renewing(20, 'past_due'),
    });
    const order = (sort: string) => idsOf(`?search=sorted&${sort}`);
    expect(await order('sort=name')).toEqual([Al, bea, Cy]);
    expect(await order('sort=name&order=desc')).toEqual([Cy, bea, Al]);
    expect(await order('sort=created')).toEqual([Cy, Al, bea]);
    expect(await order('sort=created&order=asc')).toEqual([bea, Al, Cy]);
    expect(await order('sort=last_message')).toEqual([Cy, bea, Al]);
    expect(await order('sort=last_message&order=asc')).toEqual([Al, bea, Cy]);
    expect(await order('sort=delivery_time')).toEqual([Al, Cy, bea]);
    expect(await order('sort=delivery_time&order=desc')).toEqual([bea, Cy, Al]);
    expect(await order('sort=email')).toEqual([Cy, Al, bea]);
    expect(await order('sort=email&order=desc')).toEqual([bea, Al, Cy]);
    expect(await order('sort=phone')).toEqual([bea, Cy, Al]);
    expect(await order('sort=phone&order=desc')).toEqual([Al, Cy, bea]);
    expect(await order('sort=status')).toEqual([Cy, bea, Al]);
    expect(await order('sort=status&order=desc')).toEqual([Al, bea, Cy]);
    // Users without a period come last in both.
    expect(await order('sort=renews')).toEqual([bea, Cy, Al]);
    expect(await order('sort=renews&order=desc')).toEqual([Cy, bea, Al]);
    // Their order would reveal what is masked.
    for (const sort of ['sort=email', 'sort=phone'])
      expect(await idsOf(`?search=sorted&${sort}`, 'viewer')).toEqual([Cy, Al, bea]);
  });

  it.each([
    'limit=0',
    'limit=-1',
    'limit=1e9',
    'limit=501',
    'limit=NaN',
    'limit=10;drop',
    'limit=1&limit=2',
    'offset=-1',
    'offset=x',
    'offset=10001',
    'search=%00',
    `search=${'a'.repeat(101)}`,
    'search=a&search=b',
    "status=' or 1=1",
    'status=ACTIVE',
    'status=active&status=paused',
    'status[]=active',
    'subscription=free',
    'consent=yes',
    'opted_out=1',
    'opted_out=maybe',
    'delivery=true',
    'sort=plan',
    'sort=name;drop table users',
    'sort=name&sort=created',
    'order=up',
  ])('rejects ?%s', async (query) => expect((await list(`?${query}`)).statusCode).toBe(400));

  it('is for admins only', async () => {
    expect((await harness.call({ url: '/admin/users' })).statusCode).toBe(401);
    expect((await harness.call({ url: '/admin/users', as: asUser('x') })).statusCode).toBe(403);
  });
});

describe('a long list', () => {
  /** The last 4,000 come after the longest walk of a first page. */
  const people = 14_000;
  const step = 7_000;
  /** A single connection, to count its reads. */
  let db: Harness['deps']['db'];
  beforeAll(async () => {
    db = createDatabase<AccountsDatabase>({
      url: harness.databaseUrl,
      max: 1,
      name: 'accounts-list-test',
      onError: () => undefined,
    });
    // A statement may take 30 s.
    for (let first = 1; first <= people; first += step)
      await sql`insert into users (id, name, email, phone, password_hash, timezone, delivery_hour, frequency,
        is_active, consent, opted_out, plan, subscription_status, registered_at)
      select gen_random_uuid(), 'Many Person' || n, 'many' || n || '@example.org', '+1415' || (2000000 + n), '',
        'UTC', n % 24, 'daily', n % 100 <> 0, case when n % 100 = 1 then 'pending' else 'granted' end, n % 100 = 2,
        'monthly', case when n > 13000 then 'pending' when n % 2 = 0 then 'active' else 'trial' end,
        timestamptz '2026-01-01' + n * interval '1 minute'
      from generate_series(${first}::integer, ${first + step - 1}::integer) as n`.execute(db);
    await sql`update last_texts set sent_at = registered_at + interval '1 year' from users
      where users.id = user_id and subscription_status <> 'pending'`.execute(db);
    await sql`analyze users, last_texts`.execute(db);
  }, 60_000);
  afterAll(() => db.destroy());

  const page = { limit: 25, offset: 0, byContact: true };
  async function rowsRead<T>(work: () => Promise<T>): Promise<{ read: number; answer: T }> {
    const count = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(db);
      const { rows } = await sql<{
        read: number;
      }>`select (pg_stat_get_tuples_returned('users'::regclass)
        + pg_stat_get_tuples_returned('last_texts'::regclass))::integer as read`.execute(db);
      return rows[0]?.read ?? 0;
    };
    const before = await count();
    const answer = await work();
    return { answer, read: (await count()) - before };
  }

  it('is counted up to the last page that can be shown', async () => {
    expect((await listUsers(db, page)).total).toBe(maxListed + 1);
    expect((await listUsers(db, { ...page, subscription: 'active' })).total).toBe(maxListed + 1);
    expect((await listUsers(db, { ...page, search: 'many', status: 'paused' })).total).toBe(
      people / 100,
    );
  });

  it('is never read as a whole, with any search, filter or order', async () => {
    const queries = [
      {},
      { subscription: 'active' as const },
      { subscription: 'trial' as const, consent: 'granted' as const },
      { status: 'active' as const },
      { status: 'paused' as const },
      { consent: 'pending' as const },
      { opted_out: true },
      { opted_out: true, subscription: 'active' as const },
      { search: 'many' },
      { search: 'person13999' },
      { search: '415201' },
    ];
    for (const query of queries) {
      for (const { const: sort } of UserSort.anyOf) {
        for (const order of ['asc', 'desc'] as const) {
          const { read, answer } = await rowsRead(() =>
            listUsers(db, { ...page, ...query, sort, order }),
          );
          expect(answer.users.length, JSON.stringify(query)).toBeGreaterThan(0);
          expect(read, JSON.stringify({ ...query, sort, order })).toBeLessThan(people);
        }
      }
    }
  });

  it('has the same distant pages as a full sort', async () => {
    const query = { ...page, subscription: 'trial' as const, offset: 6_000, sort: 'name' as const };
    const { users } = await listUsers(db, query);
    const { rows } = await sql<{
      id: string;
    }>`select id from users where subscription_status = 'trial'
      order by lower(name), id limit 25 offset 6000`.execute(db);
    expect(users.map((user) => user.id)).toEqual(rows.map((row) => row.id));
  });
});
