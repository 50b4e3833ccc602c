import { randomUUID } from 'node:crypto';
import { beforeAll, expect, inject } from 'vitest';
import {
  type OpenOptions,
  type Page,
  type Pages,
  usePages,
} from '../../deploy/system-tests/browser/harness.ts';
import type { ProductClient } from '../../deploy/system-tests/product-client.ts';

export * from '../../deploy/system-tests/browser/harness.ts';
export * from '../../deploy/system-tests/browser/mocked-calls.ts';

export interface AdminPages extends Pages {
  owner: () => string;
  /** Returns a token. Viewers can't change anything, so all tests share one. */
  admin: (role: 'viewer' | 'operator' | 'owner') => Promise<string>;
  /** Opens the admin pages, signed in as the first owner unless a token is given. */
  openAdmin: (path: string, options?: OpenOptions & { token?: string }) => Promise<Page>;
  /** Sends an announcement to everyone. */
  sendAnnouncement: () => Promise<void>;
}

/** Returns the link to a page in the navigation of wide screens. */
export const pageLink = (page: Page, name: string, exact = false) =>
  page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name, exact });

let viewer: Promise<string> | undefined;

/** Provides the product, a browser, and a signed-in owner for the tests of one file. */
export function useAdminPages(): AdminPages {
  const pages = usePages();
  let owner = '';
  beforeAll(async () => {
    owner = await pages.product.adminLogin(inject('admin'));
  });
  return {
    ...pages,
    owner: () => owner,
    admin: (role) => {
      if (role !== 'viewer') return invite(pages.product, owner, role);
      viewer ??= invite(pages.product, owner, role);
      return viewer;
    },
    openAdmin: (path, { token = owner, ...options } = {}) =>
      pages.open(path, { ...options, stored: { admin_token: token } }),
    sendAnnouncement: () => sendAnnouncement(pages.product, owner),
  };
}

async function sendAnnouncement(product: ProductClient, owner: string): Promise<void> {
  const created = await product.api<{ id: string }>(
    'POST',
    '/admin/scheduled-messages',
    {
      title: `News ${randomUUID()}`,
      content: 'News of the day',
      scheduled_date: (await product.now()).toISOString().slice(0, 10),
      scheduled_time: '20:00',
      category: 'announcement',
    },
    owner,
  );
  expect(created.status).toBe(201);
  const path = `/admin/scheduled-messages/${created.body.id}/send-now`;
  const sent = await product.api('POST', path, {}, owner);
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
}

async function invite(product: ProductClient, owner: string, role: string): Promise<string> {
  const username = `test-${randomUUID().slice(0, 8)}`;
  const password = 'a password for tests';
  const { body } = await product.api<{ invitation_url: string }>(
    'POST',
    '/admin/admins',
    { username, email: `${username}@example.com`, role },
    owner,
  );
  const token = new URL(body.invitation_url).hash.slice(1);
  await product.api('POST', '/admin/invitation', { token, password });
  return product.adminLogin({ username, password });
}
