import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createIdentitySigner, identityHeader } from '@daylift/server/identity';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiRoutes } from '../../../services/gateway/src/routes-table.ts';
import { anAdmin } from '../admins.ts';
import { type Document, type FieldSchema, parametersOf } from '../bad-input/described-calls.ts';
import type { ProductClient } from '../product-client.ts';
import { startSecondReplica } from '../second-replica.ts';
import { startTestStack, type TestStack } from '../stack-for-test.ts';
import { claimsOf, identityKeyOf } from '../stack-secrets.ts';

let running: TestStack;
let product: ProductClient;
let owner: string;
let people = 0;

beforeAll(async () => {
  running = await startTestStack({ CLOCK_START: '2027-05-03T15:00:00Z' });
  product = running.product;
  owner = await product.adminLogin(running.stack.adminCredentials);
}, 180_000);
afterAll(() => running?.stop());

const post = <T = { detail: string; code: string }>(path: string, body?: unknown) =>
  product.api<T>('POST', path, body, owner);

/** Creates an eligible subscriber on trial. */
async function aSubscriber(name = 'Ada Morning'): Promise<{ id: string; phone: string }> {
  people += 1;
  const phone = `+1415555${6000 + people}`;
  const id = await product.signUp({
    name,
    email: `operated-${people}@example.com`,
    phone,
    password: 'good morning',
    timezone: 'America/New_York',
    delivery_time: '09:00',
    sms_consent: true,
  });
  await product.pay(await product.openCheckout(id));
  await product.settle();
  return { id, phone };
}

async function aMessage(fields: Record<string, unknown>) {
  const body = { title: 'Today', content: 'A kind word', ...fields };
  return post<{ id: string; title: string; content: string }>('/admin/scheduled-messages', body);
}

describe('Guessing at the login', () => {
  test('gets ten tries, with any claimed address, and no hint about names', async () => {
    const guess = (username: string, from: number) =>
      fetch(`${product.urls.gateway}/api/admin/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${from}` },
        body: JSON.stringify({ username, password: 'a guess' }),
      }).then(async (response) => ({
        status: response.status,
        detail: ((await response.json()) as { detail: string }).detail,
      }));
    const email = 'guessed@example.com';
    await post('/admin/admins', { username: 'guessed', email, role: 'viewer' });
    for (const username of ['guessed', 'nobody-of-us']) {
      const responses = await Promise.all(
        Array.from({ length: 30 }, (_none, n) => guess(username, n)),
      );
      const unauthorized = responses.filter((one) => one.status === 401);
      expect(unauthorized.length).toBeGreaterThan(0);
      expect(unauthorized.length).toBeLessThanOrEqual(10);
      expect(new Set(unauthorized.map((one) => one.detail))).toEqual(
        new Set(['Invalid credentials']),
      );
      expect(responses.every((one) => one.status === 401 || one.status === 429)).toBe(true);
    }
  });

  test.each([
    ['no password', { username: 'owner' }, 400],
    ['a list', { username: ['owner'], password: ['x'] }, 400],
    ['a condition', { username: 'owner', password: { $ne: null } }, 400],
    ['a role of its own', { username: 'owner', password: 'x', role: 'owner' }, 400],
    ['a password of a megabyte', { username: 'owner', password: 'x'.repeat(1_000_000) }, 413],
    ['an injection', { username: "owner' or '1'='1", password: "' or '1'='1" }, 401],
    ['an empty code', { username: 'owner', password: 'x', code: '' }, 400],
  ])('%s grants no access', async (_what, body, status) => {
    expect((await post('/admin/login', body)).status).toBe(status);
  });
});

describe('List filters', () => {
  const lists = apiRoutes.filter(({ method, path }) => method === 'GET' && /^\/admin\//.test(path));
  const places: Record<string, string> = { id: randomUUID(), date: '2027-05-03' };
  let document: Document;
  beforeAll(async () => {
    document = (await product.api<Document>('GET', '/docs/json')).body;
  });

  /** Returns whether any text is a valid value. */
  const isFreeText = (schema: FieldSchema & Record<string, unknown>): boolean =>
    schema.type === 'string' &&
    !('pattern' in schema || 'format' in schema || 'enum' in schema || 'const' in schema);
  const hostile = ["' or 1=1", '1;drop table users', 'nonsense', '%00', '{"$ne":null}', '../..'];

  test.each(lists.map(({ path }) => path))(
    '%s accepts known values and rejects others',
    async (path) => {
      const item = document.paths[`/api${path.replaceAll(/:(\w+)/g, '{$1}')}`]?.get;
      const filters = item === undefined ? [] : parametersOf(item, 'query');
      const address = path.replaceAll(/:(\w+)/g, (_all, name: string) => places[name] ?? name);
      const statusOf = async (name: string, values: string[]) => {
        const search = values.map((value) => `${name}=${encodeURIComponent(value)}`).join('&');
        return (await product.api('GET', `${address}?${search}`, undefined, owner)).status;
      };
      for (const { name, schema } of filters) {
        expect([name, await statusOf(name, ['1', '1'])]).toEqual([name, 400]);
        for (const value of isFreeText(schema as never) ? [] : hostile)
          expect([name, value, await statusOf(name, [value])]).toEqual([name, value, 400]);
      }
    },
  );

  test("with free text don't find hidden data by guessing", async () => {
    await aSubscriber();
    for (const search of ["' or 1=1 --", '%', '_', '\\', "x') or ('1'='1"]) {
      const url = `/admin/users?search=${encodeURIComponent(search)}`;
      const { status, body } = await product.api<unknown[]>('GET', url, undefined, owner);
      expect([search, status, body]).toEqual([search, 200, []]);
    }
  });
});

describe('A malicious message', () => {
  test.each([
    ['markup', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['what GSM takes two places for', '[{}] ^~|\\ €', '[{}] ^~|\\ €'],
    ['pictures', 'Rise 🌅🏳️‍🌈', null],
    ['what reads from the right', 'a\u202egood\u202c', 'agood'],
    ['what is not seen', 'be\u200bst\u2060', null],
    ['control characters', 'one\u0007two\u001b[31m', null],
    ['a formula', '=HYPERLINK("http://evil.example")', '=HYPERLINK("http://evil.example")'],
  ])('is kept as plain text: %s', async (_what, content, kept) => {
    const { status, body } = await aMessage({
      content,
      scheduled_date: '2027-06-01',
      category: 'announcement',
    });
    expect(status).toBe(201);
    if (kept !== null) expect(body.content).toBe(kept);
    expect(body.content).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
  });

  test.each([
    ['a day that is over', { scheduled_date: '2027-04-01' }, 400],
    ['no day at all', { scheduled_date: '2027-02-30' }, 400],
    [
      'more than the carrier takes',
      { scheduled_date: '2027-06-02', content: '🌅'.repeat(900) },
      400,
    ],
    ['a megabyte', { scheduled_date: '2027-06-02', content: 'x'.repeat(1_000_000) }, 413],
    ['a state of its own', { scheduled_date: '2027-06-02', is_sent: true }, 400],
  ])('is rejected: %s', async (_what, fields, status) => {
    expect((await aMessage(fields)).status).toBe(status);
  });
});

describe('A send', () => {
  test("fired ten times at two replicas is one, with one text per subscriber, and can't be undone", async () => {
    const reached = [await aSubscriber(), await aSubscriber()];
    const { body: message } = await aMessage({ scheduled_date: '2027-05-03' });
    const second = await startSecondReplica(running.stack, 'scheduler');
    try {
      const first = running.stack.processes().find((one) => one.name === 'scheduler');
      const replicas = [`http://127.0.0.1:${first?.port}`, second.url];
      const sign = createIdentitySigner(identityKeyOf(running.stack), 'scheduler');
      const identity = sign({
        kind: 'admin',
        admin_id: claimsOf(owner).sub as string,
        username: 'owner',
        role: 'owner',
        session_version: 0,
      });
      const fire = (base: string | undefined) =>
        fetch(`${base}/admin/scheduled-messages/${message.id}/send-now`, {
          method: 'POST',
          headers: { [identityHeader]: identity },
        }).then(async (response) => ({ status: response.status, body: await response.json() }));
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_none, n) => fire(replicas[n % 2])),
      );
      expect(responses.map((one) => one.status)).toEqual(Array<number>(10).fill(200));
      expect(
        new Set(responses.map((one) => (one.body as { batch_id: string }).batch_id)).size,
      ).toBe(1);
    } finally {
      await second.stop();
    }
    await product.settle();
    for (const { phone } of reached) {
      const texts = (await product.texts(phone)).filter((one) => one.text.includes('A kind word'));
      expect(texts).toHaveLength(1);
    }
    const taken = await product.api<{ code: string }>(
      'DELETE',
      `/admin/scheduled-messages/${message.id}`,
      undefined,
      owner,
    );
    expect(taken.status).toBe(409);
  });
});

describe('With the provider down', () => {
  test("pausing, activating and deleting respond within 300 ms, with the provider's status", async () => {
    const targets = [await aSubscriber(), await aSubscriber(), await aSubscriber()];
    await product.faults({ telnyx_down: true });
    try {
      const durationsMs: number[] = [];
      const timed = async (method: string, path: string) => {
        const start = performance.now();
        const response = await product.api<{ telnyx_sync: string }>(
          method,
          path,
          method === 'POST' ? {} : undefined,
          owner,
        );
        durationsMs.push(performance.now() - start);
        // Queued only if something has to be sent to the provider.
        expect(response).toMatchObject({ status: 200, body: { telnyx_sync: 'not_required' } });
      };
      for (const { id } of targets) {
        await timed('POST', `/admin/users/${id}/toggle-status`);
        await timed('POST', `/admin/users/${id}/toggle-status`);
        await timed('DELETE', `/admin/users/${id}`);
      }
      expect(
        durationsMs.toSorted((a, b) => a - b)[Math.floor(durationsMs.length / 2)],
      ).toBeLessThan(300);
    } finally {
      await product.faults({ telnyx_down: false });
    }
  });
});

describe('Settings', () => {
  const good = { email: 'ops@example.com', failure_threshold: 20, enabled: true };
  test.each([
    ['a header in the address', { email: 'a@b.c\nBcc: d@e.f' }],
    ['a header after a return', { email: 'a@b.c\r\nSubject: x' }],
    ['a list of addresses', { email: ['a@example.com'] }],
    ['0 per cent', { failure_threshold: 0 }],
    ['101 per cent', { failure_threshold: 101 }],
    ['20.5 per cent', { failure_threshold: 20.5 }],
    ['"20" per cent', { failure_threshold: '20' }],
  ])('of alerts reject %s', async (_what, wrong) => {
    expect((await post('/admin/settings/alert-email', { ...good, ...wrong })).status).toBe(400);
    const { body } = await product.api('GET', '/admin/settings/alert-email', undefined, owner);
    expect(body).toMatchObject({ alert_email: '', enabled: false });
  });
});

describe("An admin can't", () => {
  test('see a full email or phone number as a viewer, on any page', async () => {
    const { id, phone } = await aSubscriber('Vivian');
    const email = `operated-${people}@example.com`;
    const token = await product.login(email, 'good morning');
    const message = { subject: 'Vivian asks', message: `Call ${phone} or write to ${email}` };
    expect((await product.api('POST', '/support/contact', message, token)).status).toBe(202);
    const viewer = await anAdmin(product, owner, 'viewer');
    const inbox = await product.api<{ items: { id: string }[] }>(
      'GET',
      '/admin/inbox?search=Vivian',
      undefined,
      viewer.token,
    );
    const ids: Record<string, string> = { '/admin/inbox/:id': inbox.body.items[0]?.id ?? '' };
    const pages = apiRoutes.filter(
      ({ method, path, access }) =>
        method === 'GET' && access === 'viewer' && path !== '/admin/live',
    );
    let mentions = 0;
    for (const { path } of pages) {
      const address = path.replace(':id', ids[path] ?? id).replace(':date', '2027-05-04');
      const { body } = await product.api<unknown>('GET', address, undefined, viewer.token);
      const text = JSON.stringify(body);
      if (text.includes('Vivian')) mentions += 1;
      expect([path, text.includes(email), text.includes(phone)]).toEqual([path, false, false]);
    }
    expect(mentions).toBeGreaterThan(2);
  });

  test('set up two-factor authentication without the password', async () => {
    const { token, password } = await anAdmin(product, owner, 'operator');
    const begin = (body: object) => product.api('POST', '/admin/me/totp', body, token);
    expect((await begin({})).status).toBe(400);
    expect((await begin({ password: 'a guess' })).status).toBe(422);
    expect((await begin({ password })).status).toBe(200);
  });

  test('create a second account for a known email, which is explained for operators', async () => {
    await aSubscriber();
    const email = `operated-${people}@example.com`;
    const form = { name: 'Twin', email, phone: '+14155556999' };
    const rejected = await post('/admin/users/create', form);
    expect(rejected).toMatchObject({ status: 409, body: { code: 'SUBSCRIBER_EXISTS' } });
    expect(rejected.body.detail).not.toMatch(/sign in/i);
  });

  test('change the audit log, even with the database login of accounts', async () => {
    const pid = running.stack.processes().find((one) => one.name === 'accounts')?.pid;
    const settings = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    const connectionString = settings
      .find((line) => line.startsWith('DATABASE_URL='))
      ?.slice('DATABASE_URL='.length);
    const client = new pg.Client({ connectionString: connectionString ?? '' });
    await client.connect();
    try {
      for (const statement of [
        'truncate audit.audit_log',
        'delete from audit.audit_log',
        "update audit.audit_log set action = 'x'",
        'drop table audit.audit_log',
        'alter table audit.audit_log disable trigger all',
      ])
        await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
    }
  });

  test("send today's message again once everyone has had it, even to late joiners", async () => {
    const { phone: served } = await aSubscriber();
    await aMessage({
      scheduled_date: '2027-05-04',
      content: 'Only once',
    });
    await product.advanceTo(new Date('2027-05-05T01:30:00Z'), 12);
    const late = await aSubscriber();
    expect(await post('/admin/send-todays-message')).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_SENT' },
    });
    await product.settle();
    const countReceived = async (phone: string) =>
      (await product.texts(phone)).filter(({ text }) => text.includes('Only once')).length;
    expect([await countReceived(served), await countReceived(late.phone)]).toEqual([1, 0]);
  });
});
