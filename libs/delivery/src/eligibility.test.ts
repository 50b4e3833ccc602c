import { describe, expect, test } from 'vitest';
import { type EligibilityFacts, sendRefusal } from './eligibility.ts';

const now = new Date('2027-03-06T14:00:00Z');
const facts: EligibilityFacts = {
  is_active: true,
  delivery_enabled: true,
  paused_until: null,
  consent: 'granted',
  opted_out: false,
  entitled: true,
  entitled_until: null,
};

describe('eligibility', () => {
  test.each<[string, Partial<EligibilityFacts>, string | null]>([
    ['everything in order', {}, null],
    [
      'STOP outranks all else',
      { opted_out: true, consent: 'revoked', entitled: false },
      'opted_out',
    ],
    ['asked to reply YES', { consent: 'pending' }, 'no_consent'],
    ['consent taken back', { consent: 'revoked' }, 'no_consent'],
    ['paused by the staff', { is_active: false }, 'inactive'],
    ['delivery switched off', { delivery_enabled: false }, 'delivery_disabled'],
    ['paused until tomorrow', { paused_until: '2027-03-07' }, 'paused'],
    ['paused until today', { paused_until: '2027-03-06' }, null],
    ['no subscription', { entitled: false }, 'not_entitled'],
    ['entitled a moment longer', { entitled_until: new Date('2027-03-06T14:00:00.001Z') }, null],
    ['entitled until just now', { entitled_until: now }, 'not_entitled'],
  ])('%s', (_what, change, reason) => {
    expect(sendRefusal({ ...facts, ...change }, now, '2027-03-06')).toBe(reason);
  });
});
