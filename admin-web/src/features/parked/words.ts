import type { Parked, ParkingService } from '@daylift/contracts/parked.http';

export type Item = Parked['items'][number];

const services: Record<ParkingService, string> = {
  accounts: 'Accounts',
  billing: 'Billing',
  content: 'Content',
  scheduler: 'Scheduler',
  'sms-gateway': 'SMS gateway',
};

const events: Record<string, string> = {
  'accounts.user.registered': 'Somebody signed up',
  'accounts.settings.changed': 'Delivery settings changed',
  'accounts.recipient.changed': 'Number, name or settings of a subscriber changed',
  'accounts.user.deleted': 'An account was deleted',
  'accounts.code.requested': 'A code or link was requested by text',
  'accounts.consent.asked': 'Somebody asked for the YES question again',
  'accounts.answer.written': 'An admin answered by text',
  'billing.subscription.changed': 'A subscription changed',
  'billing.checkout.opened': 'A checkout was opened',
  'billing.referrals.changed': 'A friend was counted',
  'content.message.scheduled': 'A message was scheduled',
  'content.message.deleted': 'A scheduled message was deleted',
  'content.template.changed': 'The library of messages changed',
  'scheduler.dispatches.released': 'Texts were handed over for sending',
  'scheduler.message.completed': 'A message has reached everybody',
  'sms.text.settled': 'A text was sent or given up',
  'sms.batch.progressed': 'A batch went on',
  'sms.recipient.opted_out': 'Somebody replied STOP',
  'sms.recipient.opted_in': 'Somebody replied START',
  'sms.recipient.number_changed': 'A number with or without a STOP came into use',
  'sms.consent.confirmed': 'Somebody replied YES',
  'sms.setting.requested': 'Somebody changed a setting by reply',
  'sms.reply.received': 'A reply to read came by text',
  'sms.replies.erased': 'Replies of somebody who left were erased',
};

const tasks: Record<string, string> = {
  fulfil_checkout: 'Finish a checkout',
  sync_subscription: 'Read a subscription anew',
  sync_customer: 'Read a customer anew',
  sync_invoice: 'Read an invoice anew',
  sync_refund: 'Read a refund anew',
  sync_charge_refunds: 'Read the refunds of a charge anew',
  end_trial: 'End a trial',
  apply_renewal: 'Stop or restore a renewal',
  finish_plan_change: 'Finish a change of plan',
  settle_referral: 'Book the credit for a friend',
  cancel_subscription: 'Cancel a subscription',
  cancel_duplicate: 'Cancel a second subscription',
  cancel_and_refund: 'Cancel a subscription and refund it',
  erase_customer: 'Erase a customer who left',
  expire_session: 'Close a checkout',
};

const asWords = (type: string): string => {
  const words = type.replaceAll(/[._:-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const serviceName = (service: ParkingService): string => services[service];

/** What happened or has to be done; what is not known yet is named as the services name it. */
export function describeType({ kind, type }: Pick<Item, 'kind' | 'type'>): string {
  if (kind === 'mail') return `Mail: ${asWords(type).toLowerCase()}`;
  if (kind === 'text') return `Text: ${asWords(type).toLowerCase()}`;
  if (kind === 'task') return tasks[type] ?? asWords(type);
  return type.endsWith('.admin.acted') ? 'An admin did something' : (events[type] ?? asWords(type));
}

/** What nobody makes up for once it is discarded. */
export function describeLoss({ kind, service }: Item): string {
  if (kind === 'mail') return 'The mail is never sent, and its words are deleted.';
  if (kind === 'text') return 'The text is never sent. Its person gets nothing in its place.';
  if (kind === 'task')
    return 'It is never done at the payment provider, and what we know may differ from what it knows from then on.';
  return `${services[service]} never learns of it, and what it knows stays wrong. What happened elsewhere is not undone.`;
}

export interface Group {
  key: string;
  items: Item[];
}

/** Items of one kind in one service, in the order in which the first of each was parked. */
export function groupItems(items: Item[]): Group[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = `${item.service} ${item.kind} ${item.type}`;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups].map(([key, members]) => ({ key, items: members }));
}
