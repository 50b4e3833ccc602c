import type { AnswerStatus, InboxItem, SupportMessageKind } from '@daylift/contracts/inbox.http';
import type { BadgeTone } from '@daylift/ui/StatusBadge';

export const kindNames: Record<SupportMessageKind, string> = {
  support: 'Support',
  contact: 'Contact form',
  reply: 'Text',
};

export const senderOf = ({ name, phone }: Pick<InboxItem, 'name' | 'phone'>): string =>
  name ?? phone ?? 'Unknown sender';

export const statusWords: Record<AnswerStatus, { tone: BadgeTone; label: string }> = {
  queued: { tone: 'sky', label: 'Sending' },
  sent: { tone: 'green', label: 'Sent' },
  delivered: { tone: 'green', label: 'Delivered' },
  failed: { tone: 'red', label: 'Failed' },
  unknown: { tone: 'grey', label: 'Status unavailable' },
};
