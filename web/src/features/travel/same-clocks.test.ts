import { expect, test } from 'vitest';
import { clocksDiffer } from './same-clocks.ts';

const winter = new Date('2027-01-15T12:00:00Z');

test.each([
  ['Europe/Berlin', 'America/New_York', true],
  ['Asia/Calcutta', 'Asia/Kolkata', false],
  ['US/Eastern', 'America/New_York', false],
  ['Europe/Paris', 'Europe/Berlin', false],
  ['America/Phoenix', 'America/Denver', true],
  ['Middle/Earth', 'America/New_York', false],
  ['America/New_York', 'Middle/Earth', false],
  ['', 'America/New_York', false],
])('the clocks of %s and %s differ: %s', (browser, account, differ) => {
  expect(clocksDiffer(browser, account, winter)).toBe(differ);
});
