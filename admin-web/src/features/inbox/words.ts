import type {
  AnswerStatus,
  InboxFlag,
  InboxItem,
  SupportMessageKind,
} from '@daylift/contracts/inbox.http';
import type { BadgeTone } from '@daylift/ui/StatusBadge';

export const kindNames: Record<SupportMessageKind, string> = {
  support: 'Support',
  contact: 'Contact form',
  reply: 'Text',
};

export const flagWords: Record<InboxFlag, { tone: BadgeTone; label: string; advice: string }> = {
  distress: {
    tone: 'red',
    label: 'Possible distress',
    advice:
      "This person may be in danger. Read this message now. If they replied by text and haven't opted out, we texted them their country's crisis line. This conversation stays at the top until you close it.",
  },
  stop: {
    tone: 'yellow',
    label: 'Looks like STOP',
    advice:
      "We didn't treat this reply as STOP. If they don't want any more texts, opt them out on their subscriber page.",
  },
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
