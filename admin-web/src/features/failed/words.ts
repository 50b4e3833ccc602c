import type { AllFailedItems, FailingService } from '@daylift/contracts/failed.http';
import { capitalized } from '@daylift/ui/formats';

export type Item = AllFailedItems['items'][number];

const services: Record<FailingService, string> = {
  accounts: 'Accounts',
  billing: 'Billing',
  content: 'Content',
  scheduler: 'Scheduler',
  'sms-gateway': 'SMS gateway',
};

const events: Record<string, string> = {
  'accounts.user.registered': 'User signed up',
  'accounts.settings.changed': 'Delivery settings changed',
  'accounts.recipient.changed': "Subscriber's number, name or settings changed",
  'accounts.user.deleted': 'Account deleted',
  'accounts.code.requested': 'Code or link requested by text',
  'accounts.consent.asked': 'Consent request requested again',
  'accounts.answer.written': 'Admin replied by text',
  'billing.subscription.changed': 'Subscription changed',
  'billing.renewal.restored': 'Renewal restored by START',
  'billing.checkout.opened': 'Checkout opened',
  'billing.referrals.changed': 'Referral counted',
  'billing.month.closed': 'Monthly figures for owners',
  'content.message.scheduled': 'Message scheduled',
  'content.message.deleted': 'Scheduled message deleted',
  'content.template.changed': 'Template library changed',
  'content.sequence.changed': 'Sequence text changed',
  'scheduler.dispatches.released': 'Texts released for sending',
  'scheduler.due_texts.changed': 'Texts due today changed',
  'scheduler.library.runs_out': 'Library running out',
  'scheduler.days.lost': 'Days lost',
  'scheduler.message.completed': 'Scheduled message completed',
  'sms.texts.settled': 'Texts sent or failed',
  'sms.text.settled': 'Text sent or failed',
  'sms.batch.progressed': 'Batch progressed',
  'sms.costs.counted': 'Text costs counted',
  'sms.recipient.opted_out': 'Subscriber opted out (STOP)',
  'sms.recipient.opted_in': 'Subscriber opted in (START)',
  'sms.recipient.number_changed': 'Opt-out status of a new number',
  'sms.consent.confirmed': 'Subscriber gave consent (YES)',
  'sms.setting.requested': 'Setting changed by reply',
  'sms.reply.received': 'Reply received',
  'sms.replies.erased': 'Replies of a deleted account erased',
};

const tasks: Record<string, string> = {
  fulfil_checkout: 'Fulfill checkout',
  sync_subscription: 'Sync subscription',
  sync_customer: 'Sync customer',
  sync_invoice: 'Sync invoice',
  sync_refund: 'Sync refund',
  sync_charge_refunds: 'Sync refunds of a charge',
  sync_dispute: 'Sync dispute',
  settle_hold: 'Pause or resume charges of a disputed plan',
  explain_difference: 'Difference from the payment provider',
  end_trial: 'End trial',
  apply_renewal: 'Stop or restore renewal',
  apply_free_time: 'Move next charge after free time',
  remind_of_payment: 'Email about a failed payment',
  retry_payment: 'Charge a new card',
  finish_plan_change: 'Finish plan change',
  settle_referral: 'Book referral credit',
  settle_lost_days: 'Book credit for lost days',
  staff_action: 'Refund, credit, free time or cancellation by staff',
  cancel_subscription: 'Cancel subscription',
  cancel_duplicate: 'Cancel duplicate subscription',
  cancel_and_refund: 'Cancel and refund subscription',
  erase_customer: 'Erase deleted customer',
  expire_session: 'Expire checkout',
};

const asWords = (type: string): string => capitalized(type.replaceAll(/[._:-]+/g, ' ').trim());

export const serviceName = (service: FailingService): string => services[service];

/** Returns the label of an event or task, or its raw type if it has none. */
export function describeType({ kind, type }: Pick<Item, 'kind' | 'type'>): string {
  if (kind === 'mail') return `Email: ${asWords(type).toLowerCase()}`;
  if (kind === 'text') return `Text: ${asWords(type).toLowerCase()}`;
  if (kind === 'task') return tasks[type] ?? asWords(type);
  return type.endsWith('.admin.acted') ? 'Admin action' : (events[type] ?? asWords(type));
}

/** Returns what is lost when the item is discarded. */
export function describeLoss({ kind, service }: Item): string {
  if (kind === 'mail') return "The email won't be sent, and its content is deleted.";
  if (kind === 'text') return "The text won't be sent, and nothing replaces it.";
  if (kind === 'task')
    return "The payment provider won't be updated, so its data may differ from ours.";
  return `${services[service]} won't process this event, so its data stays out of date. Other services aren't affected.`;
}

export interface Group {
  key: string;
  items: Item[];
}

/** Groups items by service, kind and type, oldest group first. */
export function groupItems(items: Item[]): Group[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = `${item.service} ${item.kind} ${item.type}`;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups].map(([key, members]) => ({ key, items: members }));
}
