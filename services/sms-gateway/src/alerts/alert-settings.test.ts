import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminCalls } from '../../test/admin-calls.ts';
import { createHarness, type Harness } from '../../test/harness.ts';

const path = '/admin/settings/alert-email';
let harness: Harness;
let admin: ReturnType<typeof adminCalls>;

beforeAll(async () => {
  harness = await createHarness();
  admin = adminCalls(harness);
});
afterAll(() => harness.close());

const good = { email: 'ops@example.com', failure_threshold: 25, enabled: true };

it('starts disabled, without an address, at 20 percent', async () => {
  expect((await admin.get(path)).json()).toEqual({
    alert_email: '',
    failure_threshold_percent: 20,
    enabled: false,
  });
});

it("stores an operator's settings, and audits them once without the address", async () => {
  const saved = { alert_email: good.email, failure_threshold_percent: 25, enabled: true };
  const responses = await Promise.all([admin.post(path, good), admin.post(path, good)]);
  for (const response of responses) expect(response.json()).toEqual(saved);
  expect((await admin.get(path, 'operator')).json()).toEqual(saved);
  const masked = { ...saved, alert_email: 'o•••@example.com' };
  expect((await admin.get(path, 'viewer')).json()).toEqual(masked);
  const adminActions = await admin.adminActions();
  expect(adminActions).toMatchObject([
    {
      action: 'alert_settings.changed',
      username: 'someone',
      details: {
        enabled: { from: false, to: true },
        threshold_percent: { from: 20, to: 25 },
        address_changed: true,
      },
    },
  ]);
  expect(JSON.stringify(adminActions)).not.toContain(good.email);
});

it('defaults to 20 percent, and requires an address only when enabled', async () => {
  const response = await admin.post(path, { email: '', enabled: false });
  expect(response.json()).toEqual({
    alert_email: '',
    failure_threshold_percent: 20,
    enabled: false,
  });
});

it.each([
  ['a header in the address', { email: 'a@b.c\nBcc:' }],
  ['two addresses', { email: 'a@example.com,b@example.com' }],
  ['a name before it', { email: 'Ops <ops@example.com>' }],
  ['no address, but enabled', { email: '' }],
  ['a threshold of 0', { failure_threshold: 0 }],
  ['a threshold of 101', { failure_threshold: 101 }],
  ['a broken threshold', { failure_threshold: 20.5 }],
  ['a threshold in quotes', { failure_threshold: '20' }],
  ['a flag in quotes', { enabled: 'true' }],
  ['an unknown field', { cc: 'b@example.com' }],
])('rejects %s', async (_what, wrong) => {
  expect((await admin.post(path, { ...good, ...wrong })).statusCode).toBe(400);
});

it("is for operators; viewers can read, subscribers can't", async () => {
  expect((await admin.post(path, good, 'viewer')).statusCode).toBe(403);
  expect(await admin.refusals('GET', path)).toEqual([401, 403]);
  expect(await admin.refusals('POST', path)).toEqual([401, 403]);
});
