import { expect, test } from 'vitest';
import { paths, tabs } from './paths.ts';

test('the URLs of the admin pages are stable', () => {
  expect([paths.login, ...tabs.map(paths.tab)]).toEqual([
    '/admin/login',
    '/admin/dashboard',
    '/admin/dashboard?tab=subscribers',
    '/admin/dashboard?tab=messages',
    '/admin/dashboard?tab=sms',
    '/admin/dashboard?tab=forecast',
    '/admin/dashboard?tab=undelivered',
    '/admin/dashboard?tab=inbox',
    '/admin/dashboard?tab=failed',
    '/admin/dashboard?tab=admins',
    '/admin/dashboard?tab=audit',
  ]);
});
