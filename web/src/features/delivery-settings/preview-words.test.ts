import type { NextText } from '@daylift/contracts/scheduler.http';
import { expect, test } from 'vitest';
import { previewWords } from './preview-words.ts';

const today = '2027-04-05';
const text = (local_date: string, next_text_at: string): NextText => ({
  next_text_at,
  local_date,
  timezone: 'America/New_York',
  reason: null,
});
const tonight = text(today, '2027-04-05T22:00:00.000Z');
const tomorrow = text('2027-04-06', '2027-04-06T13:00:00.000Z');

test("each effect on today's and the next text has a message", () => {
  expect(previewWords(tomorrow, tonight, today)).toBe("Today's text will come at 6:00 PM.");
  expect(previewWords(tonight, tomorrow, today)).toBe(
    "There won't be a text today. Your next text will come Tuesday, April 6 at 9:00 AM.",
  );
  expect(previewWords(tomorrow, text('2027-04-07', '2027-04-07T13:00:00.000Z'), today)).toBe(
    'Your next text will come Wednesday, April 7 at 9:00 AM.',
  );
  expect(previewWords(undefined, tomorrow, today)).toBe(
    'Your next text will come Tuesday, April 6 at 9:00 AM.',
  );
  const tokyo = { ...text('2027-04-06', '2027-04-06T03:00:00.000Z'), timezone: 'Asia/Tokyo' };
  expect(previewWords(tokyo, tonight, today)).toBe(
    'Your next text will come Monday, April 5 at 6:00 PM.',
  );
  expect(previewWords(tomorrow, tomorrow, today)).toBe(
    'Your next text is still Tuesday, April 6 at 9:00 AM.',
  );
  expect(
    previewWords(
      tomorrow,
      {
        next_text_at: null,
        local_date: null,
        timezone: null,
        reason: 'Your subscription has ended.',
      },
      today,
    ),
  ).toBe('With this change, no text is scheduled. Your subscription has ended.');
});
