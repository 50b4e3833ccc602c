import { NoSendReason } from '@daylift/contracts/sms.events';
import { reasonInWords } from '@daylift/delivery/reason-words';
import { describe, expect, it } from 'vitest';
import { changesInWords } from './changes.ts';

describe('a reason in words', () => {
  it.each([
    ['inactive', 'Account paused by staff.'],
    ['delivery_disabled', 'Texts switched off.'],
    ['paused', 'Texts paused by the subscriber.'],
    ['no_consent', 'No consent: no YES from their number.'],
    ['opted_out', 'Stopped: their number replied STOP.'],
    ['not_entitled', 'No trial and no paid subscription.'],
    ['late', 'Its time had passed before it could be handed over.'],
    [
      'no content',
      'There was nothing to send: no message for the day, and none left in the library.',
    ],
    ['windows_closed', 'Its time passed before it could be sent.'],
    ['frozen', 'Sending was frozen by staff until its time had passed.'],
    ['frozen_skipped', 'Sending was frozen, and staff chose to skip what fell due meanwhile.'],
    ['held_up', 'It was held up in our own house.'],
    ['discarded', 'Staff discarded it after it had failed again and again.'],
    ['broke_off', 'Our attempts to send it broke off again and again, so it was parked.'],
    ['provider_down', 'The provider was down until its time had passed.'],
    ['settings_changed', 'They chose another hour, zone or frequency before it left.'],
    ['day_used', 'They had a text of that date already.'],
    ['worker_lost', 'The process that sent it stopped in the middle of the call.'],
    ['no_answer', 'The provider did not answer the call.'],
    ['no_evidence', 'The provider knows nothing of it.'],
    ['delivery_unconfirmed', 'The carrier never said whether it arrived.'],
    ['no_connection_econnrefused', 'The provider could not be reached.'],
    ['http_503', 'The provider answered with the status 503.'],
    ['provider_40310', 'The number is not valid. (Error 40310.)'],
    ['carrier_40003', 'A carrier took it for spam and blocks it. (Error 40003.)'],
    ['carrier_49999', 'The provider gave the error 49999.'],
    ['carrier_failed', 'The carrier did not deliver it and did not say why.'],
    ['something_new', 'The reason that is noted: something new.'],
  ])('%s', (reason, words) => expect(reasonInWords(reason)).toBe(words));

  it('leaves none of the reasons to send nothing as a mere code', () => {
    for (const { const: reason } of NoSendReason.anyOf)
      expect(reasonInWords(reason)).not.toContain('that is noted');
    expect(reasonInWords(null)).toBeNull();
  });
});

describe('a change in words', () => {
  it.each([
    [{ is_active: [true, false] }, 'Account paused by staff'],
    [{ is_active: [false, true] }, 'Account activated'],
    [{ delivery_enabled: [true, false] }, 'Texts switched off'],
    [{ delivery_enabled: [false, true] }, 'Texts switched on'],
    [{ paused_until: [null, '2027-04-09'] }, 'Texts paused until Apr 9, 2027'],
    [{ paused_until: ['2027-04-09', null] }, 'Pause ended'],
    [{ consent: ['pending', 'granted'] }, 'Agreed to texts'],
    [{ consent: ['granted', 'pending'] }, 'Has to agree to texts by replying YES'],
    [{ opted_out: [false, true] }, 'All texts stopped'],
    [{ opted_out: [true, false] }, 'Texts allowed again'],
    [{ delivery_hour: [0, 12] }, 'Delivery time changed from 12:00 AM to 12:00 PM'],
    [
      { timezone: ['America/New_York', 'Asia/Tokyo'] },
      'Time zone changed from America/New York to Asia/Tokyo',
    ],
    [{ frequency: ['daily', 'weekly'] }, 'Changed from daily to weekly texts'],
    [{ weekday: [null, 2] }, 'Weekly texts come on Tuesdays'],
    [{ phone: [null, null] }, 'Phone number changed'],
  ])('%o', (changes, words) =>
    expect(changesInWords({ changes: changes as never })).toEqual([words]),
  );
});
