import { expect, test } from 'vitest';
import { describeAction, describeDetails, describeTarget, knownActions } from './words.ts';

const sources = import.meta.glob<string>('../../../../services/*/src/**/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Returns every action written to the audit log in the services' code. */
function actionsOfServices(): string[] {
  const files = Object.entries(sources).filter(([path]) => !/\.test\./.test(path));
  const audited = files.filter(([, text]) => /publishAdminAction|recordAudit/.test(text));
  const written = audited.flatMap(([, text]) => [...text.matchAll(/'([a-z_]+\.[a-z_]+)'/g)]);
  const eventsAndTables = /^(accounts|audit|billing|content|scheduler|sms)\./;
  const names = new Set(written.map(([, action]) => action ?? ''));
  return [...names].filter((one) => !eventsAndTables.test(one));
}

test('every audited action has a label', () => {
  const known = new Set(knownActions.map((one) => one.value));
  const actions = actionsOfServices();
  expect(actions.length).toBeGreaterThan(15);
  expect(actions.filter((action) => !known.has(action))).toEqual([]);
});

test('an action without a label is shown by its name', () => {
  expect(describeAction('moon.switched_off')).toBe('Moon switched off');
});

test('details are listed field by field, in plain words', () => {
  expect(
    describeDetails({
      ...{ from: 'viewer', to: 'owner', hold_quiet_hours: true, nested: {} },
      // Of testing mode, alerts and credits.
      enabled: { from: false, to: true },
    }),
  ).toEqual([
    ['From', 'Viewer'],
    ['To', 'Owner'],
    ['Held during quiet hours', 'Yes'],
    ['Enabled', 'No → Yes'],
  ]);
  expect(
    describeDetails({
      category: 'daily_motivation',
      scheduled_date: '2027-03-07',
      scheduled_time: '08:00',
      texts: 1200,
      until: '2027-03-07T12:00:00.000Z',
    }),
  ).toEqual([
    ['Type', 'Daily message'],
    ['Date', 'Mar 7, 2027'],
    ['Texts', '1,200'],
    ['Until', '2027-03-07T12:00:00.000Z'],
  ]);
  expect(
    describeDetails({
      category: 'announcement',
      scheduled_time: { from: '08:00', to: '13:30' },
      enabled: { from: true, to: true },
      state: { from: null, to: 'paused' },
      missed: 'skip',
    }),
  ).toEqual([
    ['Type', 'Announcement'],
    ['Time', '8:00 AM → 1:30 PM'],
    ['State', 'None → Paused'],
    ['Texts from the freeze', 'Skipped'],
  ]);
  expect(describeDetails(null)).toEqual([]);
});

test('targets have names and lead to their pages', () => {
  const of = (action: string, more: object = {}) =>
    describeTarget({
      action,
      target: 'd0673108',
      target_subscriber: null,
      target_admin: null,
      details: null,
      ...more,
    });
  expect(of('scheduler.run', { target: null })).toBeNull();
  expect(of('user.paused', { target_subscriber: { id: 'd0673108', name: 'Ada' } })).toEqual({
    label: 'Ada',
    path: '/admin/subscribers/d0673108',
  });
  expect(of('admin.invited', { target_admin: 'nina' })?.label).toBe('nina');
  expect(of('message.sent_now', { details: { title: 'Sun' } })).toEqual({
    label: 'Sun',
    path: '/admin/messages?search=Sun',
  });
  expect(of('message.deleted', { details: { title: 'Sun' } })).toEqual({
    label: 'Sun',
    path: '/admin/messages',
  });
  expect(of('letter.closed')).toEqual({
    label: 'Conversation',
    path: '/admin/inbox?conversation=d0673108',
  });
  expect(of('user.deleted')).toEqual({ label: 'Deleted subscriber', path: null });
  expect(of('moon.switched_off')).toEqual({ label: 'd0673108', path: null });
});
