import { NoSendReason } from '@daylift/contracts/sms.events';
import { reasonInWords } from '@daylift/delivery/reason-words';
import { describe, expect, it } from 'vitest';
import { changesInWords } from './changes.ts';

describe('a reason in words', () => {
  it.each([
    ['inactive', 'Account paused by staff.'],
    ['delivery_disabled', 'Texts turned off.'],
    ['paused', 'Texts paused by the subscriber.'],
    [
      'no_consent',
      "No consent: they haven't replied YES, or haven't since the number became unreachable.",
    ],
    ['opted_out', 'Opted out: no texts until they reply START.'],
    ['not_entitled', 'No trial or paid subscription.'],
    ['late', 'It was too late to queue it.'],
    ['no content', 'No content: no message for the day, and none left in the library.'],
    ['windows_closed', "It couldn't be sent in time."],
    ['frozen', 'Sending was frozen until it was too late.'],
    ['frozen_skipped', 'Skipped by staff after a freeze.'],
    ['held_up', 'It was delayed in our own systems.'],
    ['discarded', 'Staff discarded it after repeated failures.'],
    ['broke_off', 'Sending failed repeatedly, so it was moved to failed events.'],
    ['provider_down', 'The provider was down until it was too late.'],
    ['settings_changed', 'They changed their hour, time zone or frequency before it was sent.'],
    ['day_used', 'They already had a text for that date.'],
    ['worker_lost', 'The worker crashed during the call to the provider.'],
    ['no_answer', "The provider didn't respond."],
    ['no_evidence', 'The provider has no record of it.'],
    ['delivery_unconfirmed', 'The carrier never confirmed delivery.'],
    ['no_connection_econnrefused', 'The provider was unreachable.'],
    ['http_503', 'The provider responded with status 503.'],
    ['provider_40310', 'The phone number is invalid. (Error 40310.)'],
    ['carrier_40003', 'A carrier blocked it as spam. (Error 40003.)'],
    ['carrier_49999', 'Provider error 49999.'],
    ['carrier_failed', "The carrier didn't deliver it and gave no reason."],
    ['something_new', 'Reason: something new.'],
  ])('%s', (reason, words) => expect(reasonInWords(reason)).toBe(words));

  it('has words for every reason', () => {
    for (const { const: reason } of NoSendReason.anyOf)
      expect(reasonInWords(reason)).not.toContain('Reason:');
    expect(reasonInWords(null)).toBeNull();
  });
});

describe('a change in words', () => {
  it.each([
    [{ is_active: [true, false] }, 'Account paused by staff'],
    [{ is_active: [false, true] }, 'Account activated'],
    [{ delivery_enabled: [true, false] }, 'Texts turned off'],
    [{ delivery_enabled: [false, true] }, 'Texts turned on'],
    [{ paused_until: [null, '2027-04-09'] }, 'Texts paused until Apr 9, 2027'],
    [{ paused_until: ['2027-04-09', null] }, 'Pause ended'],
    [{ consent: ['pending', 'granted'] }, 'Gave consent'],
    [{ consent: ['granted', 'pending'] }, 'Consent requested (reply YES)'],
    [{ opted_out: [false, true] }, 'Opted out of all texts'],
    [{ opted_out: [true, false] }, 'Opted back in'],
    [{ delivery_hour: [0, 12] }, 'Delivery time changed from 12:00 AM to 12:00 PM'],
    [
      { timezone: ['America/New_York', 'Asia/Tokyo'] },
      'Time zone changed from America/New York to Asia/Tokyo',
    ],
    [{ frequency: ['daily', 'weekly'] }, 'Changed from daily to weekly texts'],
    [{ weekday: [null, 2] }, 'Weekly texts moved to Tuesdays'],
    [{ phone: [null, null] }, 'Phone number changed'],
  ])('%o', (changes, words) =>
    expect(changesInWords({ changes: changes as never })).toEqual([words]),
  );
});
