import type { ScheduledMessage } from '@daylift/contracts/content.http';
import { formatCount } from '@daylift/ui/formats';
import type { BadgeTone } from '@daylift/ui/StatusBadge';

const previewLength = 50;
// Split by code point, so an emoji is never cut in half.
export const preview = (text: string): string => {
  const characters = [...text];
  return characters.length > previewLength
    ? `${characters.slice(0, previewLength).join('')}...`
    : text;
};

const statuses = {
  scheduled: { label: 'Scheduled', tone: 'sky' },
  sent: { label: 'Sent', tone: 'green' },
  skipped: { label: 'Skipped', tone: 'grey' },
} as const;

export const messageStatus = ({
  is_sent,
  total_recipients,
  skipped_sends,
}: ScheduledMessage): { label: string; tone: BadgeTone } => {
  if (!is_sent) return statuses.scheduled;
  const allSkipped = total_recipients > 0 && skipped_sends === total_recipients;
  return allSkipped ? statuses.skipped : statuses.sent;
};

/** Returns the send progress of a message. */
export const deliveryStats = (message: ScheduledMessage): string => {
  if (message.total_recipients === 0) return 'None yet';
  const parts = [
    `${formatCount(message.successful_sends)} sent`,
    `${formatCount(message.failed_sends)} failed`,
  ];
  if (message.skipped_sends > 0)
    parts.push(`${formatCount(message.skipped_sends)} skipped or opted out`);
  if (message.pending_sends > 0) parts.push(`${formatCount(message.pending_sends)} in progress`);
  return parts.join(', ');
};
