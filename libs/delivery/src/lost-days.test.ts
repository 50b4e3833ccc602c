import { expect, test } from 'vitest';
import { isLostDay } from './lost-days.ts';

test.each([
  ['missed', 'late'],
  ['missed', 'no content'],
  ['missed', 'frozen'],
  ['skipped', 'frozen_skipped'],
  // From the previous version.
  ['missed', 'frozen_skipped'],
  ['missed', 'provider_down'],
  ['missed', 'batch_stopped'],
  ['refused', 'provider_40322'],
  ['refused', 'provider_20100'],
  ['refused', 'provider_40309'],
  ['failed', 'carrier_40309'],
  ['failed', 'carrier_40004'],
  ['failed', 'carrier_40008'],
  ['failed', 'carrier_40003'],
  ['failed', 'carrier_failed'],
  ['failed', 'delivery_unconfirmed'],
  ['unknown', 'no_evidence'],
  ['unknown', null],
  ['skipped', 'discarded'],
] as const)('%s because of %s is a lost day', (outcome, reason) => {
  expect(isLostDay(outcome, reason)).toBe(true);
});

test.each([
  ['skipped', 'paused'],
  ['skipped', 'opted_out'],
  ['skipped', 'no_consent'],
  ['skipped', 'delivery_disabled'],
  ['skipped', 'inactive'],
  ['skipped', 'not_entitled'],
  ['refused', 'provider_40001'],
  ['refused', 'provider_40310'],
  ['refused', 'day_used'],
  ['failed', 'carrier_40012'],
  ['failed', 'carrier_40301'],
  ['testing', null],
  ['waiting', null],
] as const)("%s because of %s is the subscriber's own, or isn't over", (outcome, reason) => {
  expect(isLostDay(outcome, reason)).toBe(false);
});
