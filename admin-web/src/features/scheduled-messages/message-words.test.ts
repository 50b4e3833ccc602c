import type { ScheduledMessage } from '@daylift/contracts/content.http';
import { expect, test } from 'vitest';
import { deliveryStats, messageStatus } from './message-words.ts';

const aMessage = (changes: Partial<ScheduledMessage>) =>
  ({
    is_sent: true,
    total_recipients: 0,
    successful_sends: 0,
    failed_sends: 0,
    skipped_sends: 0,
    pending_sends: 0,
    ...changes,
  }) as ScheduledMessage;

test.each([
  ['is scheduled', { is_sent: false }, 'Scheduled', 'None yet'],
  ['reached no one yet', {}, 'Sent', 'None yet'],
  ['was sent', { total_recipients: 2, successful_sends: 2 }, 'Sent', '2 sent, 0 failed'],
  [
    'was skipped for all',
    { total_recipients: 2, skipped_sends: 2 },
    'Skipped',
    '0 sent, 0 failed, 2 skipped or opted out',
  ],
  [
    'was skipped for some',
    { total_recipients: 2, successful_sends: 1, skipped_sends: 1 },
    'Sent',
    '1 sent, 0 failed, 1 skipped or opted out',
  ],
])('a message that %s says so', (_what, changes, label, stats) => {
  const message = aMessage(changes);
  expect(messageStatus(message).label).toBe(label);
  expect(deliveryStats(message)).toBe(stats);
});
