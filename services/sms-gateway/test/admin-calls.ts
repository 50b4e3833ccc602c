import type { AdminAction } from '@daylift/contracts/admin-action';
import type { AdminRole } from '@daylift/contracts/fields';
import { asAdmin, asUser } from './factories.ts';
import type { Harness } from './harness.ts';

/** Calls of the admin pages. */
export function adminCalls(harness: Harness) {
  const get = (url: string, role: AdminRole = 'viewer') => harness.call({ url, as: asAdmin(role) });
  const write = (
    method: 'POST' | 'PUT',
    url: string,
    body: unknown,
    role: AdminRole = 'operator',
  ) =>
    harness.call({
      method,
      url,
      as: asAdmin(role),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    get,
    post: (url: string, body: unknown, role?: AdminRole) => write('POST', url, body, role),
    put: (url: string, body: unknown, role?: AdminRole) => write('PUT', url, body, role),
    /** Returns published admin actions, oldest first. */
    adminActions: () => harness.published<AdminAction>('sms.admin.acted'),
    /** Returns the statuses without a token and with a subscriber's. */
    refusals: async (method: 'GET' | 'POST', url: string) => [
      (await harness.call({ method, url })).statusCode,
      (await harness.call({ method, url, as: asUser(crypto.randomUUID()) })).statusCode,
    ],
  };
}
