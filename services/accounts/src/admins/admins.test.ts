import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, asUser, createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const entries = () => harness.deps.db.selectFrom('audit_log').selectAll().execute();

describe('GET /admin/me', () => {
  it('tells an admin of any role who they are, and nobody else', async () => {
    for (const role of ['viewer', 'operator', 'owner'] as const) {
      const answer = await harness.call({ url: '/admin/me', as: asAdmin(role) });
      expect(answer.json()).toMatchObject({ username: 'someone', role });
    }
    expect((await harness.call({ url: '/admin/me' })).statusCode).toBe(401);
    expect((await harness.call({ url: '/admin/me', as: asUser(randomUUID()) })).statusCode).toBe(
      403,
    );
  });
});

describe('What admins do in other services', () => {
  it('is written into the audit log, once however often it is told', async () => {
    const deed = {
      admin_id: randomUUID(),
      username: 'vera',
      action: 'message.deleted',
      target: randomUUID(),
      details: {},
      ip: '203.0.113.7',
      request_id: 'request-1',
    };
    for (const owner of ['billing', 'content', 'scheduler', 'sms']) {
      const id = randomUUID();
      for (const _ of [1, 2]) await harness.receive(`${owner}.admin.acted`, deed, id);
    }
    const { admin_id, username, ...rest } = deed;
    const entry = { ...rest, actor_id: admin_id, actor_username: username };
    const written = await entries();
    expect(written).toHaveLength(4);
    for (const one of written) expect(one).toMatchObject(entry);
  });
});
