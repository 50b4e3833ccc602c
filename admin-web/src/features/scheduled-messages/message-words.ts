import type { ScheduledMessage } from '@daylift/contracts/content.http';
import { formatCount } from '@daylift/ui/formats';

const previewLength = 50;
// Split by code point, so an emoji is never cut in half.
export const preview = (text: string): string => {
  const characters = [...text];
  return characters.length > previewLength
    ? `${characters.slice(0, previewLength).join('')}...`
    : text;
};

/** Returns the send progress of a message. */
export const deliveryStats = (message: ScheduledMessage): string => {
  if (message.total_recipients === 0) return 'None yet';
  const parts = [
    `${formatCount(message.successful_sends)} sent`,
    `${formatCount(message.failed_sends)} failed`,
  ];
  if (message.pending_sends > 0) parts.push(`${formatCount(message.pending_sends)} in progress`);
  return parts.join(', ');
};
