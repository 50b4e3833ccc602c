import { randomUUID } from 'node:crypto';
import type { LoginResponse } from '@daylift/contracts/accounts.http';
import type { CreateUserResponse } from '@daylift/contracts/managed-users.http';
import type { Identity } from '@daylift/server/identity';
import { publishedEvents } from '@daylift/testing/published';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSignup, codeOf, setUser, userRow } from '../../test/factories.ts';
import { asAdmin, asService, asUser, createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const operator = asAdmin('operator');
const aForm = (change: Record<string, unknown> = {}) => {
  const { name, email, phone, timezone, delivery_time } = aSignup();
  return { name, email, phone, timezone, delivery_time, plan: 'yearly', ...change };
};
const create = (body: unknown, as: Identity | null = operator, query = '') =>
  harness.call({
    method: 'POST',
    url: `/admin/users/create${query}`,
    ...(body !== undefined && { body }),
    ...(as !== null && { as }),
  });
const created = async (change: Record<string, unknown> = {}) => {
  const form = aForm(change);
  const response = await create(form);
  expect(response.statusCode, response.body).toBe(201);
  return { ...response.json<CreateUserResponse>(), form };
};
const logIn = (login: string, password: string) =>
  harness.call({ method: 'POST', url: '/users/login', body: { login, password } });
const changePassword = (id: string, old_password: string, new_password: string) =>
  harness.call({
    method: 'POST',
    url: '/users/me/change-password',
    as: asUser(id),
    body: { old_password, new_password },
  });
const auditOf = (target: string) =>
  harness.deps.db.selectFrom('audit_log').selectAll().where('target', '=', target).execute();
async function everythingKept(): Promise<string> {
  const tables = await sql<{ name: string }>`select table_name as name
    from information_schema.tables where table_schema = current_schema()`.execute(harness.deps.db);
  const rows = await Promise.all(
    tables.rows.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(harness.deps.db)),
  );
  return JSON.stringify(rows.map((one) => one.rows));
}

describe('POST /admin/users/create', () => {
  it('creates the account, and publishes that staff created it', async () => {
    const { id, form } = await created();
    expect(await userRow(harness, id)).toMatchObject({
      name: form.name,
      email: form.email,
      phone: form.phone,
      timezone: 'America/Chicago',
      delivery_hour: 9,
      frequency: 'daily',
      plan: 'yearly',
      consent: 'pending',
      is_active: true,
      created_by: operator.kind === 'admin' && operator.admin_id,
    });
    const { db } = harness.deps;
    const facts = (await publishedEvents(db, 'accounts.user.registered')).at(-1)?.data;
    expect(facts).toMatchObject({ user_id: id, plan: 'yearly', created_by: 'admin' });
    const signup = await harness.call({ url: `/internal/signups/${id}`, as: asService });
    expect(signup.json()).toEqual(facts);
    const published = (await publishedEvents(db, 'accounts.recipient.changed')).at(-1)?.data;
    const by_staff = true;
    expect(published).toMatchObject({
      user_id: id,
      consent: 'pending',
      phone: form.phone,
      by_staff,
    });
  });

  it('accepts the query of the specification, with its optional fields', async () => {
    const { name, email, phone } = aForm();
    const query = new URLSearchParams({ name, email, phone });
    const response = await create(undefined, operator, `?${query}`);
    expect(response.statusCode).toBe(201);
    const { id } = response.json<CreateUserResponse>();
    expect(await userRow(harness, id)).toMatchObject({
      email,
      timezone: 'America/New_York',
      delivery_hour: 9,
      plan: 'monthly',
      consent: 'pending',
    });
  });

  it('records who vouches for a written consent, and otherwise requires none', async () => {
    const { id } = await created({ sms_consent: true });
    const { db, identityHash } = harness.deps;
    const user = await userRow(harness, id);
    expect(user.consent).toBe('granted');
    const proofs = () => db.selectFrom('consents').selectAll().where('user_id', '=', id).execute();
    expect(await proofs()).toEqual([
      expect.objectContaining({
        source: 'admin',
        admin_id: user.created_by,
        wording_version: 'staff-1',
        given_at: harness.clock.now(),
        phone_hash: identityHash(user.phone ?? ''),
        ip: null,
        user_agent: null,
      }),
    ]);
    const { id: silent } = await created({ sms_consent: false });
    expect((await userRow(harness, silent)).consent).toBe('pending');
  });

  it('is audited without personal data', async () => {
    const { id, form, default_password } = await created({ sms_consent: true });
    const [entry, ...others] = await auditOf(id);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      action: 'user.created',
      actor_username: 'someone',
      details: { plan: 'yearly', consent: 'granted' },
    });
    const text = JSON.stringify(entry);
    for (const trace of [form.name, form.email, form.phone, default_password])
      expect(text).not.toContain(trace);
  });

  it('rejects a known email or number without telling operators to sign in', async () => {
    const { form } = await created();
    const others = [
      aForm({ email: form.email.toUpperCase() }),
      aForm({ phone: form.phone.replace('+1', '001 ') }),
    ];
    for (const other of others) {
      const response = await create(other);
      expect(response.statusCode).toBe(409);
      expect(response.json().detail).toBe(
        'A subscriber with this email or phone already exists. See the subscriber list.',
      );
    }
  });

  it.each([
    ['no name', { name: undefined }],
    ['a blank address', { email: ' ' }],
    ['no number', { phone: '' }],
  ])('rejects a missing %s', async (_, change) => {
    const response = await create(aForm(change));
    expect(response.statusCode).toBe(400);
    expect(response.json().detail).toBe('Please fill in all required fields');
  });

  it.each([
    ['an address that is none', { email: 'ada' }],
    ['an invalid number', { phone: '+1 911' }],
    ['a number of elsewhere', { phone: '+390612345678' }],
    ['an hour with minutes', { delivery_time: '09:30' }],
    ['a zone that is none', { timezone: 'Mars/Olympus' }],
    ['a plan that is none', { plan: 'free' }],
    ['a consent in words', { sms_consent: 'yes' }],
    ['a status', { is_active: false }],
    ['a password', { password: 'chosen by staff' }],
    ['a name that turns the line', { name: 'Ada\u202Egnp.exe' }],
    ['a key that is none', { request_key: 'again' }],
  ])('rejects %s', async (_, change) => {
    expect((await create(aForm(change))).statusCode).toBe(400);
  });

  it('is for operators and owners', async () => {
    expect((await create(aForm(), null)).statusCode).toBe(401);
    for (const as of [asUser(randomUUID()), asAdmin('viewer'), asService])
      expect((await create(aForm(), as)).statusCode).toBe(403);
    expect((await create(aForm(), asAdmin('owner'))).statusCode).toBe(201);
  });
});

describe('a form that is submitted twice', () => {
  it('creates one account and returns the same response, concurrently or after a lost response', async () => {
    const form = aForm({ request_key: randomUUID() });
    const responses = await Promise.all([create(form), create(form), create(form)]);
    responses.push(await create(form));
    const statuses = responses.map((response) => response.statusCode).sort();
    expect(statuses).toEqual([200, 200, 200, 201]);
    const bodies = responses.map((response) => response.json<CreateUserResponse>());
    expect(new Set(bodies.map((body) => body.id)).size).toBe(1);
    expect(new Set(bodies.map((body) => body.default_password)).size).toBe(1);
    expect(await auditOf(bodies[0]?.id ?? '')).toHaveLength(1);
    expect((await logIn(form.email, bodies[0]?.default_password ?? '')).statusCode).toBe(200);
  });

  it('without a key is rejected the second time, like a duplicate', async () => {
    const form = aForm();
    const responses = await Promise.all([create(form), create(form)]);
    expect(responses.map((response) => response.statusCode).sort()).toEqual([201, 409]);
  });

  it('returns the password only to its creator, only for this account, and not after it changed', async () => {
    const request_key = randomUUID();
    const form = aForm({ request_key });
    const { id, default_password } = (await create(form)).json<CreateUserResponse>();
    const byAnother = await create(form, asAdmin('owner'));
    const forAnother = await create({ ...aForm(), request_key });
    expect((await changePassword(id, default_password, 'my own words')).statusCode).toBe(200);
    const afterwards = await create(form);
    for (const response of [byAnother, forAnother, afterwards]) {
      expect(response.statusCode).toBe(409);
      expect(codeOf(response)).toBe('ALREADY_CREATED');
      expect(response.body).not.toContain(default_password);
    }
  });
});

describe('the default password', () => {
  it('is long, easy to type, unique, and stored only as a hash', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => created()));
    const passwords = people.map((one) => one.default_password);
    // 20 of 32 signs are 100 bits.
    for (const one of passwords) expect(one).toMatch(/^[a-km-np-z2-9]{4}(-[a-km-np-z2-9]{4}){4}$/);
    expect(new Set(passwords).size).toBe(5);
    const stored = await everythingKept();
    for (const one of passwords) expect(stored).not.toContain(one);
  });

  it('signs in, requires a new one, and then stops working', async () => {
    const { id, form, default_password } = await created();
    const first = await logIn(form.phone, default_password);
    expect(first.statusCode).toBe(200);
    expect(first.json<LoginResponse>().must_change_password).toBe(true);
    const same = await changePassword(id, default_password, default_password);
    expect(codeOf(same)).toBe('PASSWORD_NOT_OWN');
    expect((await changePassword(id, default_password, 'my own words')).statusCode).toBe(200);
    expect((await logIn(form.email, default_password)).statusCode).toBe(401);
    const own = await logIn(form.email, 'my own words');
    expect(own.json<LoginResponse>().must_change_password).toBe(false);
  });

  it('allows only choosing a new password until that is done', async () => {
    const { id, default_password } = await created();
    const state = (version: number) =>
      harness
        .call({
          url: `/internal/sessions?kind=user&subject=${id}&version=${version}&token_id=${randomUUID()}`,
          as: asService,
        })
        .then((response) => response.json());
    expect(await state(0)).toMatchObject({ valid: true, must_change_password: true });
    await changePassword(id, default_password, 'my own words');
    const others = { role: null, username: null, totp_missing: false };
    expect(await state(0)).toEqual({ valid: false, ...others });
    expect(await state(1)).toEqual({ valid: true, ...others });
  });

  it('expires after 72 hours, with the same error as a wrong password', async () => {
    const { id, form, default_password } = await created({ request_key: randomUUID() });
    harness.clock.advance({ hours: 71, minutes: 59 });
    expect((await logIn(form.email, default_password)).statusCode).toBe(200);
    harness.clock.advance({ minutes: 1 });
    const lapsed = await logIn(form.email, default_password);
    const wrong = await logIn(form.email, 'something else');
    const { request_id: _, ...body } = lapsed.json();
    expect(lapsed.statusCode).toBe(401);
    expect(wrong.json()).toMatchObject(body);
    expect((await changePassword(id, default_password, 'my own words')).statusCode).toBe(422);
    expect((await create(form)).statusCode).toBe(409);
  });

  it('is revoked when a code sets a new password', async () => {
    const { id, form } = await created();
    const password_hash = await harness.deps.hashing.hash('set before');
    await setUser(harness, id, { password_hash, password_expires_at: null });
    const response = await logIn(form.email, 'set before');
    expect(response.json<LoginResponse>().must_change_password).toBe(false);
  });
});
