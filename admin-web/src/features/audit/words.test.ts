import { expect, test } from 'vitest';
import { describeAction, describeDetails, knownActions } from './words.ts';

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

test('changes are listed field by field', () => {
  expect(
    describeDetails({ from: 'viewer', to: 'owner', hold_quiet_hours: true, nested: {} }),
  ).toEqual([
    ['from', 'viewer'],
    ['to', 'owner'],
    ['hold quiet hours', 'yes'],
  ]);
  expect(
    describeDetails({
      scheduled_date: '2027-03-07',
      texts: 1200,
      until: '2027-03-07T12:00:00.000Z',
    }),
  ).toEqual([
    ['scheduled date', 'Mar 7, 2027'],
    ['texts', '1,200'],
    ['until', '2027-03-07T12:00:00.000Z'],
  ]);
  expect(describeDetails(null)).toEqual([]);
});
