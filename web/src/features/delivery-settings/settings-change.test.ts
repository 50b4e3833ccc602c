import { expect, test } from 'vitest';
import {
  changeOf,
  hasNewAddress,
  newAddresses,
  previewOf,
  type Settings,
} from './settings-change.ts';

const daily: Settings = {
  name: 'Ada Morning',
  email: 'ada@example.com',
  current_password: '',
  phone: '+14155550100',
  timezone: 'America/New_York',
  delivery_time: '09:00',
  delivery_frequency: 'daily',
  delivery_weekday: '',
};
const weekly: Settings = { ...daily, delivery_frequency: 'weekly', delivery_weekday: '2' };

test('unchanged fields are not sent', () => {
  expect(changeOf(daily, { ...daily })).toEqual({});
  expect(changeOf(weekly, { ...weekly })).toEqual({});
  expect(changeOf(daily, { ...daily, phone: ' +14155550100 ' })).toEqual({});
  expect(changeOf(daily, { ...daily, name: ' Ada ' })).toEqual({ name: 'Ada' });
  expect(changeOf(daily, { ...daily, delivery_time: '18:00' })).toEqual({ delivery_time: '18:00' });
});

test('the password is sent only with a new email or phone', () => {
  const typed = { ...daily, current_password: 'good morning' };
  expect(changeOf(daily, typed)).toEqual({});
  expect(changeOf(daily, { ...typed, email: ' new@example.com ' })).toEqual({
    email: 'new@example.com',
    current_password: 'good morning',
  });
  expect(changeOf(daily, { ...typed, phone: '+14155550111' })).toEqual({
    phone: '+14155550111',
    current_password: 'good morning',
  });
});

test('the address on file withdraws a pending change, so it is not a new one', () => {
  const pending = { ...daily, email: 'new@example.com', phone: '+14155550111' };
  const change = changeOf(pending, daily);
  expect(change).toEqual({ email: daily.email, phone: daily.phone });
  expect(newAddresses(change, daily)).toEqual({ email: false, phone: false });
  expect(hasNewAddress(change, daily)).toBe(false);
  expect(hasNewAddress(changeOf(daily, pending), daily)).toBe(true);
});

test('a weekday is sent with its frequency, and only if chosen', () => {
  expect(changeOf(weekly, { ...weekly, delivery_weekday: '5' })).toEqual({
    delivery_frequency: 'weekly',
    delivery_weekday: 5,
  });
  expect(changeOf(daily, { ...daily, delivery_frequency: 'weekly' })).toEqual({
    delivery_frequency: 'weekly',
  });
  expect(changeOf(weekly, { ...weekly, delivery_frequency: 'daily' })).toEqual({
    delivery_frequency: 'daily',
  });
});

test('the preview needs complete settings', () => {
  expect(
    previewOf({ name: 'Ada', phone: '+14155550111', timezone: '', delivery_time: '18:00' }),
  ).toEqual({
    delivery_time: '18:00',
  });
});
