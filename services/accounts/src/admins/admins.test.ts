import { randomUUID } from 'node:crypto';
import type { AdminAccount, AdminInvitation } from '@daylift/contracts/admins.http';
import type { AdminRole } from '@daylift/contracts/fields';
import type { Identity } from '@daylift/server/identity';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anAdmin, codeOf } from '../../test/factories.ts';
import { asAdmin, createHarness, type Harness } from '../../test/harness.ts';
import { withToken } from './invitations.ts';

let harness: Harness;
let owner: Identity;
let next = 0;
const chosen = 'a whole new morning';

beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  await sql`truncate admins cascade`.execute(harness.deps.db);
  owner = await signedIn('owner');
});

async function signedIn(role: AdminRole): Promise<Identity & { kind: 'admin' }> {
  next += 1;
  const created = await anAdmin(harness, {
    username: `one-${next}`,
    password: 'a sunny day',
    role,
  });
  return {
    kind: 'admin',
    admin_id: created.id,
    username: created.username,
    role,
    session_version: created.session_version,
  };
}
const idOf = (identity: Identity) => (identity as { admin_id: string }).admin_id;
const aName = () => `new-${randomUUID().slice(0, 8)}`;
const invite = (body: object = {}, as = owner) =>
  harness.call({
    method: 'POST',
    url: '/admin/admins',
    as,
    body: { username: aName(), email: 'vera@example.com', role: 'viewer', ...body },
  });
const invited = async (body: object = {}) => (await invite(body)).json<AdminInvitation>();
const tokenOf = ({ invitation_url }: AdminInvitation) => new URL(invitation_url).hash.slice(1);
const accept = (token: string, password = chosen) =>
  harness.call({ method: 'POST', url: '/admin/invitation', body: { token, password } });
const logIn = (username: string, password: string) =>
  harness.call({ method: 'POST', url: '/admin/login', body: { username, password } });
const change = (id: string, body: object, as = owner) =>
  harness.call({ method: 'PUT', url: `/admin/admins/${id}`, as, body });
const inviteAgain = (id: string, as = owner) =>
  harness.call({ method: 'POST', url: `/admin/admins/${id}/invitation`, as });
const rowOf = (id: string) =>
  harness.deps.db.selectFrom('admins').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const adminActionsOn = (id: string) =>
  harness.deps.db
    .selectFrom('audit_log')
    .select(['actor_username', 'action', 'details'])
    .where('target', '=', id)
    .orderBy('position')
    .execute();

describe('An invitation', () => {
  it('lets its recipient choose a password once and sign in with its role', async () => {
    const invitation = await invited({ username: 'vera.new', role: 'operator' });
    expect(invitation.admin).toMatchObject({
      username: 'vera.new',
      role: 'operator',
      state: 'invited',
    });
    expect((await logIn('vera.new', chosen)).statusCode).toBe(401);
    expect((await accept(tokenOf(invitation))).json()).toEqual({ username: 'vera.new' });
    expect((await logIn('vera.new', chosen)).json()).toMatchObject({ role: 'operator' });
    const second = await accept(tokenOf(invitation), 'another one to try');
    expect([second.statusCode, codeOf(second)]).toEqual([400, 'INVITATION_NOT_GOOD']);
    expect((await logIn('vera.new', 'another one to try')).statusCode).toBe(401);
  });

  it('has 256 random bits, is mailed to the address, and is stored only as a hash', async () => {
    const invitation = await invited({ email: 'Mailed@Example.com' });
    const token = tokenOf(invitation);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const [mail] = await harness.mails('mailed@example.com');
    const sent = withToken(
      { key: mail?.key ?? '', text: mail?.text ?? '' },
      harness.deps.adminSecrets,
    );
    expect(sent).toContain(invitation.invitation_url);
    for (const table of ['admins', 'admin_invitations', 'mails', 'audit_log', 'outbox']) {
      const { rows } = await sql<{
        text: string;
      }>`select t::text as text from ${sql.table(table)} as t`.execute(harness.deps.db);
      expect(JSON.stringify(rows)).not.toContain(token);
    }
  });

  it('expires after 72 hours', async () => {
    const invitation = await invited();
    harness.clock.advance({ hours: 72 });
    expect((await accept(tokenOf(invitation))).statusCode).toBe(400);
  });

  it('is invalid once a newer one exists or its admin is deactivated', async () => {
    const first = await invited();
    const second = (await inviteAgain(first.admin.id)).json<AdminInvitation>();
    expect((await accept(tokenOf(first))).statusCode).toBe(400);
    await change(first.admin.id, { is_active: false });
    expect((await accept(tokenOf(second))).statusCode).toBe(400);
    expect(codeOf(await inviteAgain(first.admin.id))).toBe('ADMIN_DEACTIVATED');
  });

  it('works for only one of ten who open it at the same time', async () => {
    const token = tokenOf(await invited());
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_none, n) => accept(token, `a password number ${n}`)),
    );
    expect(responses.map((one) => one.statusCode).toSorted()).toEqual([
      200,
      ...Array<number>(9).fill(400),
    ]);
  });

  it('rejects a username that is taken', async () => {
    await invited({ username: 'taken' });
    const responses = await Promise.all([1, 2, 3].map(() => invite({ username: 'taken.twice' })));
    expect(responses.map((one) => one.statusCode).toSorted()).toEqual([201, 409, 409]);
    expect(codeOf(await invite({ username: 'taken' }))).toBe('USERNAME_TAKEN');
  });

  it.each([
    [{ username: 'Vera' }],
    [{ username: 'v' }],
    [{ username: 'a b' }],
    [{ username: '../x' }],
    [{ email: 'vera' }],
    [{ email: 'a@b.c\nBcc: d@e.f' }],
    [{ role: 'admin' }],
    [{ password: chosen }],
  ])('rejects %j', async (body) => expect((await invite(body)).statusCode).toBe(400));

  it.each(['short', 'eleven char', 7, null])('rejects the password %j', async (password) => {
    const token = tokenOf(await invited());
    expect((await accept(token, password as string)).statusCode).toBe(400);
    expect((await accept(token)).statusCode).toBe(200);
  });

  it.each(['x', 'a'.repeat(43), `${'a'.repeat(42)}!`])("can't be guessed: %s", async (token) => {
    expect((await accept(token)).statusCode).toBe(400);
  });
});

describe("An owner's change of another admin", () => {
  it('sets role or access, ends their sessions, and is audited', async () => {
    const { id } = (await invited()).admin;
    expect((await change(id, { role: 'operator' })).json()).toMatchObject({ role: 'operator' });
    expect((await rowOf(id)).session_version).toBe(1);
    expect((await change(id, { is_active: false })).json()).toMatchObject({ state: 'deactivated' });
    expect((await change(id, { is_active: true })).json()).toMatchObject({ state: 'invited' });
    expect((await rowOf(id)).session_version).toBe(3);
    const adminActions = await adminActionsOn(id);
    expect(adminActions.map((one) => one.action)).toEqual([
      'admin.invited',
      'admin.role_changed',
      'admin.deactivated',
      'admin.activated',
    ]);
    expect(adminActions[1]?.details).toEqual({ from: 'viewer', to: 'operator' });
  });

  it('has no effect if nothing changes: a second click ends no session', async () => {
    const { id } = (await invited()).admin;
    for (const _ of [1, 2]) await change(id, { role: 'operator' });
    expect((await rowOf(id)).session_version).toBe(1);
    expect(await adminActionsOn(id)).toHaveLength(2);
  });

  it('deactivates an admin, and reactivates them with their old password', async () => {
    const vera = await signedIn('operator');
    await change(vera.admin_id, { is_active: false });
    expect((await logIn(vera.username, 'a sunny day')).statusCode).toBe(401);
    await change(vera.admin_id, { is_active: true });
    expect((await logIn(vera.username, 'a sunny day')).statusCode).toBe(200);
  });

  it('resets failed sign-ins on a password reset and when the password is chosen', async () => {
    const { id, username } = await rowOf(idOf(await signedIn('operator')));
    const guess = async () => {
      for (let tried = 0; tried < 5; tried += 1) await logIn(username, 'a guess');
      return (await logIn(username, 'a sunny day')).statusCode;
    };
    expect(await guess()).toBe(429);
    const invitation = (await inviteAgain(id)).json<AdminInvitation>();
    expect(await guess()).toBe(429);
    expect((await accept(tokenOf(invitation))).statusCode).toBe(200);
    expect((await logIn(username, chosen)).statusCode).toBe(200);
  });

  it('revokes the old password on a reset', async () => {
    const vera = await signedIn('operator');
    const response = await inviteAgain(vera.admin_id);
    expect(response.json()).toMatchObject({ admin: { state: 'invited' } });
    expect((await logIn(vera.username, 'a sunny day')).statusCode).toBe(401);
    expect((await rowOf(vera.admin_id)).session_version).toBe(1);
    await accept(tokenOf(response.json<AdminInvitation>()));
    expect((await logIn(vera.username, chosen)).statusCode).toBe(200);
  });

  it("can't affect themselves, so there is always an owner", async () => {
    const own = idOf(owner);
    for (const body of [{ role: 'viewer' }, { is_active: false }]) {
      const response = await change(own, body);
      expect([response.statusCode, codeOf(response)]).toEqual([409, 'LAST_OWNER']);
    }
    await signedIn('owner');
    for (const response of [await change(own, { role: 'viewer' }), await inviteAgain(own)])
      expect([response.statusCode, codeOf(response)]).toEqual([409, 'OWN_ACCESS']);
    expect(await rowOf(own)).toMatchObject({ role: 'owner', is_active: true });
  });

  it('leaves one owner, even if several demote each other at the same time', async () => {
    const owners = [owner, await signedIn('owner'), await signedIn('owner')];
    const turns = owners.map((one, at) => [one, owners[(at + 1) % owners.length]] as const);
    await Promise.all(
      turns.map(([by, of]) => change(idOf(of as Identity), { role: 'viewer' }, by)),
    );
    const left = await harness.deps.db
      .selectFrom('admins')
      .select('id')
      .where('role', '=', 'owner')
      .where('is_active', '=', true)
      .execute();
    expect(left.length).toBeGreaterThanOrEqual(1);
  });

  it('is for owners only, and returns 404 for unknown admins', async () => {
    for (const role of ['viewer', 'operator'] as const) {
      const as = await signedIn(role);
      expect((await harness.call({ url: '/admin/admins', as })).statusCode).toBe(403);
      expect((await invite({}, as)).statusCode).toBe(403);
      expect((await change(idOf(owner), { role: 'viewer' }, as)).statusCode).toBe(403);
    }
    expect((await change(randomUUID(), { role: 'viewer' })).statusCode).toBe(404);
    for (const body of [{}, { role: 'boss' }, { is_active: 'no' }, { password: chosen }])
      expect((await change(idOf(owner), body)).statusCode).toBe(400);
  });

  it('lists admins without secrets', async () => {
    await invited({ username: 'listed' });
    const list = await harness.call({ url: '/admin/admins', as: owner });
    expect(list.json<AdminAccount[]>().map((one) => one.username)).toContain('listed');
    expect(list.body).not.toMatch(/argon2|hash|secret|token/);
  });
});

describe('Admin actions in other services', () => {
  it('are added to the audit log once, even if delivered twice', async () => {
    const adminAction = {
      admin_id: randomUUID(),
      username: 'vera',
      action: 'message.deleted',
      target: randomUUID(),
      details: {},
      ip: '203.0.113.7',
      request_id: 'request-1',
    };
    for (const service of ['billing', 'content', 'scheduler', 'sms']) {
      const id = randomUUID();
      for (const _ of [1, 2]) await harness.receive(`${service}.admin.acted`, adminAction, id);
    }
    const written = await harness.deps.db
      .selectFrom('audit_log')
      .selectAll()
      .where('request_id', '=', 'request-1')
      .execute();
    const { admin_id, username, ...rest } = adminAction;
    const entry = { ...rest, actor_id: admin_id, actor_username: username };
    expect(written).toHaveLength(4);
    for (const one of written) expect(one).toMatchObject(entry);
  });

  it('are rejected for insufficient roles before anything else is checked', async () => {
    expect((await harness.call({ url: '/admin/me' })).statusCode).toBe(401);
    expect((await harness.call({ url: '/admin/me', as: asAdmin('owner') })).statusCode).toBe(401);
  });
});
