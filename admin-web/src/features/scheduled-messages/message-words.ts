import type { ScheduledMessage } from '@daylift/contracts/content.http';
import { formatCount } from '@daylift/ui/formats';

const previewLength = 50;
/** Never half of a character that takes two places. */
export const preview = (text: string): string => {
  const characters = [...text];
  return characters.length > previewLength
    ? `${characters.slice(0, previewLength).join('')}...`
    : text;
};

/** How far a message has come. */
export const deliveryStats = (message: ScheduledMessage): string => {
  if (message.total_recipients === 0) return 'None yet';
  const parts = [
    `${formatCount(message.successful_sends)} sent`,
    `${formatCount(message.failed_sends)} failed`,
  ];
  if (message.pending_sends > 0) parts.push(`${formatCount(message.pending_sends)} on their way`);
  return parts.join(', ');
};
