import { describe, expect, test } from 'vitest';
import {
  checkPersonalInfo,
  checkPreferences,
  readReferral,
  type SignupForm,
} from './signup-rules.ts';

const aForm = (changes: Partial<SignupForm> = {}): SignupForm => ({
  name: 'Ada',
  email: 'ada@example.com',
  phone: '+1 202 555 0143',
  password: 'sunrise',
  confirmPassword: 'sunrise',
  timezone: 'Europe/Berlin',
  delivery_time: '09:00',
  delivery_frequency: 'daily',
  sms_consent: false,
  ref: '',
  ...changes,
});

describe('personal info', () => {
  test('passes when complete and valid', () => expect(checkPersonalInfo(aForm())).toBeNull());

  test.each([
    ['name', 'Enter your full name'],
    ['email', 'Enter your email'],
    ['phone', 'Enter your phone number'],
    ['password', 'Choose a password'],
    ['confirmPassword', 'Enter the password again'],
  ])('without %s, reports missing fields and marks the field', (field, words) => {
    for (const blank of ['', '   ']) {
      expect(checkPersonalInfo(aForm({ [field]: blank }))).toEqual({
        message: 'Please fill in all required fields',
        errors: { [field]: words },
      });
    }
  });

  test('names all invalid fields together, in form order', () => {
    const form = aForm({
      email: 'ada.example.com',
      phone: '+14155550',
      password: '12345',
      confirmPassword: 'b',
    });
    const errors = {
      email: 'Please enter a valid email address',
      phone: "This number is too short or doesn't exist. Check the digits and the country code.",
      password: 'Password must be at least 6 characters long',
      confirmPassword: 'Passwords do not match',
    };
    expect(checkPersonalInfo(form)).toEqual({ message: null, errors });
    const found = checkPersonalInfo({ ...form, name: '' });
    expect(found?.message).toBe('Please fill in all required fields');
    expect(Object.keys(found?.errors ?? {})).toEqual(['name', ...Object.keys(errors)]);
  });

  test('accepts a password of six characters', () => {
    expect(checkPersonalInfo(aForm({ password: '123456', confirmPassword: '123456' }))).toBeNull();
  });
});

describe('preferences', () => {
  test.each([{ timezone: '' }, { delivery_time: '' }])('without %o are required', (changes) => {
    expect(checkPreferences(aForm(changes))?.message).toBe(
      'Please select your timezone and delivery time',
    );
  });

  test("don't require consent", () => expect(checkPreferences(aForm())).toBeNull());
});

test('a referral code can be typed or pasted as a link', () => {
  expect(readReferral(' SUNRISE1 ')).toBe('SUNRISE1');
  expect(readReferral('https://daylift.example/signup?plan=yearly&ref=SUNRISE1#x')).toBe(
    'SUNRISE1',
  );
});
