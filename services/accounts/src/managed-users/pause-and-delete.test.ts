import { randomUUID } from 'node:crypto';
import type { SignupResponse } from '@daylift/contracts/accounts.http';
import type { ToggleStatusResponse } from '@daylift/contracts/managed-users.http';
import type { Identity } from '@daylift/server/identity';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSubscriber, aUser, codeOf, userRow } from '../../test/factories.ts';
import { asAdmin, asService, asUser, createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const operator = asAdmin('operator');
const owner = asAdmin('owner');
const toggle = (id: string, body?: unknown, as: Identity | null = operator) =>
  harness.call({
    method: 'POST',
    url: `/admin/users/${id}/toggle-status`,
    ...(body !== undefined && { body }),
    ...(as !== null && { as }),
  });
const remove = (id: string, as: Identity | null = owner) =>
  harness.call({ method: 'DELETE', url: `/admin/users/${id}`, ...(as !== null && { as }) });
const actionsOn = async (target: string) =>
  (
    await harness.deps.db
      .selectFrom('audit_log')
      .select('action')
      .where('target', '=', target)
      .orderBy('position')
      .execute()
  ).map((entry) => entry.action);
const eventsOf = async (type: string, id: string) =>
  (await publishedEvents(harness.deps.db, type)).filter(
    (event) => (event.data as { user_id: string }).user_id === id,
  );
const sessionOf = (id: string, version: number) =>
  harness
    .call({
      url: `/internal/sessions?kind=user&subject=${id}&version=${version}&token_id=${randomUUID()}`,
      as: asService,
    })
    .then((response) => response.json<{ valid: boolean }>().valid);
const unknownId = '00000000-0000-4000-8000-000000000000';

describe('POST /admin/users/:id/toggle-status', () => {
  it('pauses: ends sessions, blocks the login, and publishes the change', async () => {
    const { id, email } = await aUser(harness);
    const response = await toggle(id, { is_active: false });
    expect(response.json()).toEqual({ id, is_active: false, telnyx_sync: 'not_required' });
    expect(await sessionOf(id, 0)).toBe(false);
    const body = { login: email, password: 'correct horse' };
    const login = await harness.call({ method: 'POST', url: '/users/login', body });
    expect(codeOf(login)).toBe('ACCOUNT_PAUSED');
    for (const type of ['accounts.recipient.changed', 'accounts.settings.changed'])
      expect((await eventsOf(type, id)).at(-1)?.data).toMatchObject({ is_active: false });
    const changes = await harness.deps.db
      .selectFrom('user_changes')
      .selectAll()
      .where('user_id', '=', id)
      .execute();
    expect(changes).toEqual([
      expect.objectContaining({
        actor: 'admin',
        admin_username: 'someone',
        changes: { is_active: [true, false] },
      }),
    ]);
  });

  it('reactivates, without restoring old sessions', async () => {
    const { id } = await aUser(harness);
    await toggle(id, { is_active: false });
    expect((await toggle(id, { is_active: true })).json()).toMatchObject({ is_active: true });
    expect(await sessionOf(id, 0)).toBe(false);
    expect(await sessionOf(id, 1)).toBe(true);
    expect(await actionsOn(id)).toEqual(['user.paused', 'user.activated']);
  });

  it('toggles without a body, in any form of none', async () => {
    const { id } = await aUser(harness);
    const states = [];
    for (const body of [undefined, {}])
      states.push((await toggle(id, body)).json<ToggleStatusResponse>().is_active);
    const announced = await harness.call({
      method: 'POST',
      url: `/admin/users/${id}/toggle-status`,
      as: operator,
      headers: { 'content-type': 'application/json' },
    });
    states.push(announced.json<ToggleStatusResponse>().is_active);
    expect(states).toEqual([false, true, false]);
  });

  it('toggles once on a double click', async () => {
    const { id } = await aUser(harness);
    const clicks = await Promise.all(
      Array.from({ length: 10 }, () => toggle(id, { is_active: false })),
    );
    expect(clicks.map((click) => click.statusCode)).toEqual(Array(10).fill(200));
    expect(await actionsOn(id)).toEqual(['user.paused']);
    expect(await userRow(harness, id)).toMatchObject({ version: 2, session_version: 1 });
  });

  it.each([{ is_active: 'false' }, { is_active: null }, { active: false }, [], 'false'])(
    'rejects %j',
    async (body) => {
      const { id } = await aUser(harness);
      expect((await toggle(id, body)).statusCode).toBeGreaterThanOrEqual(400);
      expect(await userRow(harness, id)).toMatchObject({ is_active: true });
    },
  );

  it('returns 404 for others, and is for operators and owners', async () => {
    const { id } = await aUser(harness);
    expect((await toggle(unknownId)).statusCode).toBe(404);
    expect((await toggle('1')).statusCode).toBe(400);
    expect((await toggle(id, {}, null)).statusCode).toBe(401);
    for (const as of [asUser(id), asAdmin('viewer'), asService])
      expect((await toggle(id, {}, as)).statusCode).toBe(403);
    expect(await userRow(harness, id)).toMatchObject({ is_active: true });
  });
});

describe('DELETE /admin/users/:id', () => {
  const rowsMentioning = async ({ id, email, phone }: SignupResponse) => {
    const { db } = harness.deps;
    const outbox = await db.selectFrom('outbox').select('payload').execute();
    const users = await db.selectFrom('users').select('id').where('id', '=', id).execute();
    return [...outbox.map((row) => row.payload), ...users.map((row) => row.id)].filter((text) =>
      [id, email, phone].some((trace) => text.includes(trace)),
    );
  };

  it('deletes the person, publishes it, and sends a fitting goodbye', async () => {
    const user = await aSubscriber(harness);
    const response = await remove(user.id);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ telnyx_sync: 'not_required' });
    expect(await sessionOf(user.id, 0)).toBe(false);
    const left = await rowsMentioning(user);
    expect(left).toHaveLength(1);
    expect(JSON.parse(left[0] ?? '')).toMatchObject({
      type: 'accounts.user.deleted',
      data: { user_id: user.id },
    });
    const [mail] = await harness.mails(user.email);
    expect(mail?.text).toContain("We've deleted your account.");
    expect(mail?.text).not.toContain('As you asked');
    // Email and number are available again.
    await aUser(harness, { email: user.email, phone: user.phone });
  });

  it('is audited with only the id', async () => {
    const user = await aUser(harness, { name: 'Zenobia Quill' });
    await remove(user.id);
    const entries = await harness.deps.db
      .selectFrom('audit_log')
      .selectAll()
      .where('target', '=', user.id)
      .execute();
    expect(entries).toEqual([expect.objectContaining({ action: 'user.deleted', details: null })]);
    const text = JSON.stringify(entries);
    for (const trace of ['Zenobia', user.email, user.phone]) expect(text).not.toContain(trace);
  });

  it('deletes once on a double click, without an error', async () => {
    const { id } = await aUser(harness);
    const clicks = await Promise.all(Array.from({ length: 5 }, () => remove(id)));
    clicks.push(await remove(id));
    expect(clicks.map((click) => click.statusCode)).toEqual(Array(6).fill(200));
    expect(await eventsOf('accounts.user.deleted', id)).toHaveLength(1);
    expect(await actionsOn(id)).toEqual(['user.deleted']);
  });

  it('returns 404 for others, and is for owners', async () => {
    const { id } = await aUser(harness);
    expect((await remove(unknownId)).statusCode).toBe(404);
    expect((await remove('..%2Fme')).statusCode).toBe(400);
    expect((await remove(id, null)).statusCode).toBe(401);
    for (const as of [asUser(id), asAdmin('viewer'), operator, asService])
      expect((await remove(id, as)).statusCode).toBe(403);
    expect(await userRow(harness, id)).toMatchObject({ id });
  });
});
