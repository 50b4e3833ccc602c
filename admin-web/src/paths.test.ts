import { expect, test } from 'vitest';
import { movedTo } from './paths.ts';

test.each([
  ['tab=subscribers&search=ada', '/admin/subscribers?search=ada'],
  ['tab=messages', '/admin/messages'],
  ['tab=messages&date=2027-04-05', '/admin/messages?date=2027-04-05'],
  ['tab=messages&view=calendar', '/admin/messages/calendar'],
  ['tab=messages&view=library', '/admin/messages/library'],
  ['tab=messages&view=faqs', '/admin/settings/faqs'],
  ['tab=sms', '/admin/sms-system'],
  ['tab=errors', '/admin/sms-system/errors'],
  ['tab=forecast', '/admin/forecast'],
  ['tab=undelivered', '/admin/undelivered'],
  ['tab=inbox&conversation=1', '/admin/inbox?conversation=1'],
  ['tab=failed', '/admin/failed-events'],
  ['tab=admins', '/admin/settings/admins'],
  ['tab=audit&admin=vera', '/admin/settings/audit-log?admin=vera'],
  ['tab=dashboard', null],
  ['', null],
])('the former address ?%s leads to %s', (search, path) => {
  expect(movedTo(new URLSearchParams(search))).toBe(path);
});
