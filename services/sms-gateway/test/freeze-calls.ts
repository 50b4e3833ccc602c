import type { AdminAction } from '@daylift/contracts/admin-action';
import type { FreezeState } from '@daylift/contracts/freeze.http';
import { afterEach, beforeEach } from 'vitest';
import { asAdmin } from './factories.ts';
import type { Harness } from './harness.ts';

/** Calls of the freeze. Each test starts without texts and ends without a freeze. */
export function freezeCalls(harness: () => Harness) {
  beforeEach(async () => {
    await harness().db.deleteFrom('texts').execute();
    await harness().db.deleteFrom('outbox').execute();
  });
  afterEach(async () => {
    await harness().sandbox.faults({ reset: true });
    await lift('catch_up');
  });

  const operator = asAdmin('operator');
  const post = async <T = FreezeState>(url: string, body: object = {}, as = operator) => {
    const response = await harness().call({
      method: 'POST',
      url,
      as,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    return { status: response.statusCode, body: response.json() as T };
  };
  const lift = (missed: 'catch_up' | 'skip', more: object = {}) =>
    post('/admin/freeze/lift', { missed, ...more });
  const minutes = (count: number) => new Date(harness().clock.now().getTime() + count * 60_000);
  return {
    operator,
    post,
    freeze: (reason?: string) => post('/admin/freeze', { ...(reason && { reason }) }),
    lift,
    read: async (): Promise<FreezeState> =>
      (await harness().call({ url: '/admin/freeze', as: asAdmin('viewer') })).json(),
    adminActions: async () =>
      (await harness().published<AdminAction>('sms.admin.acted')).map(({ action }) => action),
    /** Returns the time in this many minutes. */
    minutes,
    /** Returns a window by its minutes from now. */
    window: (from: number, until: number) => ({
      opens_at: minutes(from).toISOString(),
      closes_at: minutes(until).toISOString(),
    }),
    settledOf: async (id: string) =>
      (await harness().settled())
        .filter(({ dispatch_id }) => dispatch_id === id)
        .map(({ outcome, reason }) => ({ outcome, reason })),
  };
}
