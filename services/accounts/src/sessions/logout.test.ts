import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAdmin, aUser } from '../../test/factories.ts';
import { asAdmin, asService, asUser, createHarness, type Harness } from '../../test/harness.ts';
import { cleanupLoop } from '../cleanup.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const logOut = (as?: ReturnType<typeof asUser>) =>
  harness.call({ method: 'POST', url: '/users/logout', ...(as && { as }) });
const tokenOf = (identity: ReturnType<typeof asUser>): string =>
  identity.kind === 'service' ? '' : (identity.token_id ?? '');
const counts = async (id: string, token_id: string, kind = 'user') => {
  const query = { kind, subject: id, version: '0', token_id };
  const response = await harness.call({
    url: `/internal/sessions?${new URLSearchParams(query)}`,
    as: asService,
  });
  return response.json<{ valid: boolean }>().valid;
};

describe('POST /users/logout', () => {
  it("revokes the caller's token, and no other", async () => {
    const { id } = await aUser(harness);
    const phone = asUser(id);
    const laptop = asUser(id);
    expect(await counts(id, tokenOf(phone))).toBe(true);
    const response = await logOut(phone);
    expect([response.statusCode, response.body]).toEqual([204, '']);
    expect(await counts(id, tokenOf(phone))).toBe(false);
    expect(await counts(id, tokenOf(laptop))).toBe(true);
  });

  it('can be repeated', async () => {
    const { id } = await aUser(harness);
    const phone = asUser(id);
    const responses = await Promise.all([logOut(phone), logOut(phone)]);
    expect(responses.map((response) => response.statusCode)).toEqual([204, 204]);
  });

  it('is for subscribers', async () => {
    expect((await logOut()).statusCode).toBe(401);
    expect((await logOut(asAdmin('owner'))).statusCode).toBe(403);
  });

  it('stores a revoked token until it would have expired', async () => {
    const { id } = await aUser(harness);
    const old = asUser(id);
    const recent = asUser(id);
    await logOut(old);
    await logOut(recent);
    const { db } = harness.deps;
    await db
      .updateTable('ended_tokens')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('token_id', '=', tokenOf(old))
      .execute();
    await cleanupLoop(harness.deps).run?.();
    const stored = await db.selectFrom('ended_tokens').select('token_id').execute();
    expect(stored.map(({ token_id }) => token_id)).toContain(tokenOf(recent));
    expect(stored.map(({ token_id }) => token_id)).not.toContain(tokenOf(old));
  });
});

describe('POST /admin/logout', () => {
  const logOutAdmin = (as?: ReturnType<typeof asAdmin>) =>
    harness.call({ method: 'POST', url: '/admin/logout', ...(as && { as }) });
  const someone = async () => {
    const username = `leaver-${randomUUID().slice(0, 8)}`;
    const { id } = await anAdmin(harness, { username, password: 'a sunny day', role: 'viewer' });
    return { id, at: () => ({ ...asAdmin('viewer'), admin_id: id, username }) };
  };

  it("revokes the admin's token, and no other, and is audited once", async () => {
    const { id, at } = await someone();
    const [office, home] = [at(), at()];
    expect(await counts(id, tokenOf(office), 'admin')).toBe(true);
    const responses = await Promise.all([logOutAdmin(office), logOutAdmin(office)]);
    expect(responses.map(({ statusCode, body }) => [statusCode, body])).toEqual([
      [204, ''],
      [204, ''],
    ]);
    expect(await counts(id, tokenOf(office), 'admin')).toBe(false);
    expect(await counts(id, tokenOf(home), 'admin')).toBe(true);
    const written = await harness.deps.db
      .selectFrom('audit_log')
      .select(['action', 'actor_username'])
      .where('actor_id', '=', id)
      .execute();
    expect(written).toEqual([{ action: 'admin.logged_out', actor_username: office.username }]);
  });

  it('is for admins', async () => {
    expect((await logOutAdmin()).statusCode).toBe(401);
    expect((await logOutAdmin(asUser(randomUUID()))).statusCode).toBe(403);
  });
});
