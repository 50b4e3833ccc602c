import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { LiveUpdate } from '@daylift/contracts/live.http';
import { eventually } from '@daylift/testing/eventually';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
let url: string;
beforeEach(async () => {
  harness = await createHarness();
  harness.state.live.set('accounts', { users: { total: 5, active: 4 } });
  harness.state.live.set('billing', { revenue: { total: 1, total_cents: 100, transactions: 1 } });
  harness.state.live.set('content', { templates: { active: 1, total: 2 } });
  harness.state.live.set('scheduler', { status: aStatus(0) });
  harness.state.live.set('sms-gateway', { batches: [] });
  url = `${await harness.app.listen({ port: 0, host: '127.0.0.1' })}/api/admin/live`;
});
afterEach(() => harness.close());

const aStatus = (pending_jobs: number) => ({
  pending_jobs,
  processing_jobs: 0,
  users_due_for_messages: 0,
  scheduler_running: true,
});
const wholeState = {
  users: { total: 5, active: 4 },
  revenue: { total: 1, total_cents: 100, transactions: 1 },
  templates: { active: 1, total: 2 },
  status: aStatus(0),
  batches: [],
  parked: 0,
};

/** Opens a stream and collects its updates. */
async function open(token = harness.adminToken('viewer').token) {
  const leave = new AbortController();
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    signal: leave.signal,
  });
  const window = {
    response,
    updates: [] as LiveUpdate[],
    isOver: false,
    leave: () => leave.abort(),
  };
  const read = async () => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) {
        const [event, data] = message.split('\n');
        expect(event).toBe('event: update');
        window.updates.push(JSON.parse(data?.slice('data: '.length) ?? '') as LiveUpdate);
      }
    }
  };
  const over = () => {
    window.isOver = true;
  };
  if (response.ok) read().then(over, over);
  return window;
}
const requestsTo = (service: string, url = '/internal/live') =>
  harness.state.seen.filter((one) => one.service === service && one.url === url);
const withFigures = (updates: LiveUpdate[]) =>
  updates.filter(({ figures }) => Object.keys(figures).length > 0);

describe('GET /admin/live as a stream', () => {
  it('sends the full state first and then only changes', async () => {
    const { response, updates } = await open();
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('cache-control')).toContain('no-store');
    await eventually(() => updates.length > 0);
    expect(updates[0]).toEqual({
      at: expect.any(String),
      behind_since: null,
      figures: wholeState,
    });
    harness.state.live.set('scheduler', { status: aStatus(7) });
    await eventually(() => withFigures(updates).length > 1);
    expect(withFigures(updates).slice(1)).toEqual([
      { at: expect.any(String), behind_since: null, figures: { status: aStatus(7) } },
    ]);
    const late = await open();
    await eventually(() => late.updates.length > 0);
    expect(late.updates[0]?.figures).toEqual({ ...wholeState, status: aStatus(7) });
  });

  it('sends heartbeats while nothing changes', async () => {
    const { updates } = await open();
    await eventually(() => updates.length >= 3);
    expect(withFigures(updates)).toHaveLength(1);
    expect(Date.parse(updates[2]?.at ?? '')).toBeGreaterThan(Date.parse(updates[1]?.at ?? ''));
  });

  it('reads each service once for any number of windows, and never without one', async () => {
    const windows = await Promise.all(Array.from({ length: 12 }, () => open()));
    const before = requestsTo('sms-gateway').length;
    const startedMs = performance.now();
    await eventually(() => requestsTo('sms-gateway').length >= before + 5);
    const polls = requestsTo('sms-gateway').length - before;
    const most = (performance.now() - startedMs) / 100 + 1;
    expect(polls).toBeLessThanOrEqual(most);
    for (const window of windows) window.leave();
    await eventually(async () => {
      const then = requestsTo('sms-gateway').length;
      await pause(400);
      return requestsTo('sms-gateway').length === then;
    });
  });

  it('reports the number of failed events of all services', async () => {
    const { updates } = await open();
    await eventually(() => updates.length > 0);
    harness.state.failed.set('billing', { total: 2, items: [] });
    harness.state.failed.set('accounts', { total: 1, items: [] });
    await eventually(() => updates.some(({ figures }) => figures.parked === 3));
  });

  it('reports no fewer failed events while a service is down, and asks again in each round', async () => {
    harness.state.failed.set('billing', { total: 2, items: [] });
    harness.state.failed.set('accounts', { total: 1, items: [] });
    const { updates } = await open();
    const shown = () => updates.flatMap(({ figures }) => figures.parked ?? []);
    await eventually(() => shown().includes(3));
    await harness.upstreams.billing.close();
    const reads = () => requestsTo('accounts', '/internal/parked').length;
    const cached = reads();
    await eventually(() => reads() > cached);
    const [rounds, before] = [requestsTo('accounts').length, reads()];
    await eventually(() => requestsTo('accounts').length >= rounds + 5);
    expect(reads()).toBeGreaterThanOrEqual(before + 3);
    harness.state.failed.set('billing', { total: 4, items: [] });
    await harness.restart('billing');
    await eventually(() => shown().includes(5));
    expect(shown()).toEqual([3, 5]);
  });

  it('reports since when a service is unavailable, keeps the others, and reports its return', async () => {
    const { updates } = await open();
    await eventually(() => updates.length > 0);
    harness.state.live.delete('scheduler');
    harness.state.live.set('accounts', { users: { total: 6, active: 4 } });
    const behind = await eventually(() => updates.find((one) => one.behind_since !== null));
    expect(Date.parse(behind.behind_since ?? '')).toBeLessThan(Date.parse(behind.at));
    await eventually(() => updates.some(({ figures }) => figures.users?.total === 6));
    harness.state.live.set('scheduler', { status: aStatus(1) });
    await eventually(() => updates.at(-1)?.behind_since === null);
    expect(updates.some(({ figures }) => figures.status?.pending_jobs === 1)).toBe(true);
  });

  it.each([
    ['revoked', { valid: false, role: null, username: null, totp_missing: false }],
    ['left without a role', { valid: true, role: null, username: null, totp_missing: false }],
    [
      'without the second step that is asked for from now on',
      { valid: true, role: 'viewer', username: 'vera', totp_missing: true },
    ],
  ] as const)('ends within two seconds once the session is %s', async (_why, session) => {
    const { id, token } = harness.adminToken('viewer');
    const [window, other] = [await open(token), await open()];
    await eventually(() => window.updates.length > 0);
    harness.state.sessions.set(`admin:${id}:0`, session);
    await eventually(() => window.isOver, { within: 2_000 });
    expect(other.isOver).toBe(false);
    expect((await open(token)).response.status).toBeGreaterThanOrEqual(401);
  });

  it('ends within two seconds in the windows of the signed-out session, and in no other', async () => {
    const { id, token } = harness.adminToken('viewer');
    const token_id = randomUUID();
    const leaving = harness.sign({ sub: id, aud: 'admin', ver: 0, jti: token_id });
    const [window, other] = [await open(leaving), await open(token)];
    await eventually(() => window.updates.length > 0);
    harness.state.endedTokens.add(token_id);
    await eventually(() => window.isOver, { within: 2_000 });
    expect(other.isOver).toBe(false);
    expect((await open(leaving)).response.status).toBe(401);
  });

  it('reopens for the same session once two-factor authentication is set up', async () => {
    const { id, token } = harness.adminToken('viewer');
    const session = { valid: true, role: 'viewer', username: 'vera' } as const;
    const setTotpMissing = (totp_missing: boolean) =>
      harness.state.sessions.set(`admin:${id}:0`, { ...session, totp_missing });
    setTotpMissing(true);
    const refused = await open(token);
    expect(refused.response.status).toBe(403);
    expect(await refused.response.json()).toMatchObject({ code: 'TOTP_SETUP_REQUIRED' });
    setTotpMissing(false);
    const window = await eventually(async () => {
      const reopened = await open(token);
      return reopened.response.ok && reopened;
    });
    await eventually(() => window.updates.length > 0);
    expect(window.updates[0]?.figures).toEqual(wholeState);
  });

  it('is for admins only', async () => {
    expect((await fetch(url)).status).toBe(401);
    expect((await open(harness.userToken().token)).response.status).toBe(403);
  });

  it('limits the windows of one admin', async () => {
    const { token } = harness.adminToken('viewer');
    const windows = await Promise.all(Array.from({ length: 20 }, () => open(token)));
    const refused = await open(token);
    expect(refused.response.status).toBe(429);
    expect(await refused.response.json()).toMatchObject({ code: 'TOO_MANY_WINDOWS' });
    expect((await open()).response.status).toBe(200);
    windows[0]?.leave();
    await eventually(async () => (await open(token)).response.status === 200);
  });

  it('opens no stream for a HEAD request', async () => {
    const { token } = harness.adminToken('viewer');
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    for (let count = 0; count < 20; count += 1)
      expect((await fetch(url, { method: 'HEAD', headers })).status).toBe(200);
    expect((await open(token)).response.status).toBe(200);
  });

  it("doesn't delay a server shutdown", async () => {
    const windows = await Promise.all([open(), open()]);
    const startedMs = performance.now();
    await harness.app.close();
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    await eventually(() => windows.every((window) => window.isOver));
  });
});

describe('GET /admin/live without a stream', () => {
  it('returns the same figures once, shared by concurrent calls', async () => {
    const { token } = harness.adminToken('viewer');
    const refresh = () => harness.call({ url: '/api/admin/live', token });
    const responses = await Promise.all([refresh(), refresh(), refresh()]);
    for (const response of responses) {
      expect(response.statusCode).toBe(200);
      expect(response.json()).toEqual({
        at: expect.any(String),
        behind_since: null,
        figures: wholeState,
      });
    }
    expect(requestsTo('content')).toHaveLength(1);
  });
});
