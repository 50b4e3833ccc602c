import type { AuditEntry } from '@daylift/contracts/audit.http';
import { capitalized, formatCount, formatHour, formatLocalDate } from '@daylift/ui/formats';
import { paths } from '../../paths.ts';

/** Labels of admin actions. An action without a label is shown by its name. */
const words: Record<string, string> = {
  'admin.logged_in': 'Signed in',
  'admin.logged_out': 'Signed out',
  'admin.login_failed': 'Failed sign-in',
  'admin.invited': 'Invited an admin',
  'admin.joined': 'Accepted an invitation',
  'admin.role_changed': "Changed an admin's role",
  'admin.deactivated': 'Deactivated an admin',
  'admin.activated': 'Activated an admin',
  'admin.password_reset': "Reset an admin's password",
  'admin.password_changed': 'Changed their password',
  'admin.totp_enabled': 'Turned on two-step sign-in',
  'admin.totp_disabled': 'Turned off two-step sign-in',
  'admin.totp_removed': 'Turned off two-step sign-in for an admin',
  'users.listed': 'Viewed the subscriber list',
  'texts.listed': 'Viewed the delivery log',
  'user.viewed': 'Viewed a subscriber',
  'user.created': 'Added a subscriber',
  'user.paused': 'Paused a subscriber',
  'user.activated': 'Activated a subscriber',
  'user.changed': "Changed a subscriber's settings",
  'user.opted_out': 'Opted a subscriber out',
  'user.refunded': 'Refunded a subscriber',
  'user.credited': 'Gave a subscriber credit',
  'user.free_days_given': 'Gave a subscriber free days',
  'user.trial_extended': "Extended a subscriber's trial",
  'user.free_access_given': 'Gave a subscriber free access',
  'user.plan_canceled': "Canceled a subscriber's plan",
  'user.plan_ended': "Ended a subscriber's plan immediately",
  'user.billing_action_failed': 'Failed to refund, credit or change a plan',
  'user.deleted': 'Deleted a subscriber',
  'promotion.created': 'Created a promotion code',
  'promotion.deactivated': 'Deactivated a promotion code',
  'gift.resent': 'Resent a gift link',
  'gift.buyer_erased': 'Erased the buyer of a gift',
  'gift.voided': 'Voided a gift',
  'prices.moved': 'Moved subscribers to a new price',
  'prices.move_stopped': 'Stopped a move to a new price',
  'message.scheduled': 'Scheduled a message',
  'message.changed': 'Changed a scheduled message',
  'message.deleted': 'Deleted a scheduled message',
  'message.sent_now': 'Sent a message to all',
  'message.tested': 'Sent a test text',
  'message.held_canceled': 'Canceled held texts',
  'messages.imported': 'Imported messages',
  'template.created': 'Added a library message',
  'template.changed': 'Changed a library message',
  'template.deleted': 'Deleted a library message',
  'sequence.changed': 'Changed a sequence text',
  'faq.created': 'Added an FAQ',
  'faq.changed': 'Changed an FAQ',
  'faq.deleted': 'Deleted an FAQ',
  'faqs.ordered': 'Reordered the FAQs',
  'scheduler.run': 'Ran the scheduler',
  'queue.processed': 'Processed the queue',
  'batch.resumed': 'Resumed a batch',
  'batch.canceled': 'Canceled the rest of a batch',
  'provider.tried': 'Tested the provider',
  'sending.frozen': 'Froze all sending',
  'sending.started_again': 'Resumed sending',
  'testing_mode.switched_on': 'Turned on testing mode',
  'testing_mode.switched_off': 'Turned off testing mode',
  'testing_mode.number_changed': 'Changed the test number',
  'sender.added': 'Added a sender',
  'sender.changed': 'Changed a sender',
  'lost_day_settings.changed': 'Changed the credit settings for lost days',
  'alert_settings.changed': 'Changed the alert settings',
  'delivery_log.exported': 'Exported the delivery log',
  'letter.answered': 'Replied to an inbox message',
  'letter.closed': 'Closed a conversation',
  'letter.assigned': 'Assigned a conversation',
  'saved_reply.created': 'Saved a reply',
  'saved_reply.changed': 'Changed a saved reply',
  'saved_reply.deleted': 'Deleted a saved reply',
  'letter.reopened': 'Reopened a conversation',
  'parked.replayed': 'Replayed a failed event',
  'parked.replay_failed': 'Replay of a failed event failed',
  'parked.discarded': 'Discarded a failed event',
};

export const knownActions = Object.entries(words).map(([value, label]) => ({ value, label }));

const spaced = (text: string): string => text.replaceAll(/[._]/g, ' ');

export const describeAction = (action: string): string =>
  words[action] ?? capitalized(spaced(action));

const names: Record<string, string> = {
  address_changed: 'Email address',
  by: 'Sent by',
  canceled: 'Texts canceled',
  category: 'Type',
  credit_cents: 'Credit in cents',
  from: 'From',
  hold_quiet_hours: 'Held during quiet hours',
  messages: 'Messages',
  missed: 'Texts from the freeze',
  role: 'Role',
  scheduled_date: 'Date',
  scheduled_time: 'Time',
  second_step: 'Two-step sign-in',
  sms_consent: 'Consent',
  texts: 'Texts',
  threshold_percent: 'Alert threshold in percent',
  to: 'To',
  until: 'Until',
  username: 'Username',
};

/** Values by name of their field. */
const values: Record<string, Record<string, string>> = {
  category: { daily_motivation: 'Daily message', announcement: 'Announcement' },
  missed: { skip: 'Skipped', catch_up: 'Sent if still on time' },
  address_changed: { true: 'Changed', false: 'Not changed' },
};

/** Enum values, shown as words. */
const codes = new Set([
  ...['viewer', 'operator', 'owner', 'active', 'draining', 'paused', 'changed', 'email', 'text'],
  ...['monthly', 'yearly', 'granted', 'pending', 'revoked', 'app', 'recovery code'],
  ...['toll_free', 'short_code', 'alphanumeric', 'refund', 'credit', 'free_days', 'extend_trial'],
  ...['free_access', 'cancel_now', 'cancel_at_period_end'],
]);

const written = (name: string, value: string | number | boolean): string => {
  const known = values[name]?.[String(value)];
  if (known !== undefined) return known;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return formatCount(value);
  if (isInstant(value)) return value;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatLocalDate(value);
  if (name === 'scheduled_time') return formatHour(value);
  return codes.has(value) ? capitalized(spaced(value)) : value;
};

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

const change = (name: string, value: unknown): string | null => {
  if (isPlain(value)) return written(name, value);
  if (typeof value !== 'object' || value === null || !('to' in value)) return null;
  const { from, to } = value as { from?: unknown; to: unknown };
  const word = (one: unknown) => (isPlain(one) ? written(name, one) : 'None');
  if (from === to) return null;
  return `${word(from)} → ${word(to)}`;
};

export const isInstant = (value: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);

/** Returns whether a detail is redundant: the title, or a daily message's unused hour. */
const isShownElsewhere = (name: string, details: Record<string, unknown>): boolean =>
  name === 'title'
    ? isPlain(details.title)
    : name === 'scheduled_time' && details.category === 'daily_motivation';

/** Returns name and value of each field, skipping empty values. Instants stay as they are. */
export const describeDetails = (
  details: Record<string, unknown> | null,
): [name: string, value: string][] =>
  Object.entries(details ?? {}).flatMap(([name, value]) => {
    const described = isShownElsewhere(name, details ?? {}) ? null : change(name, value);
    return described === null ? [] : [[names[name] ?? capitalized(spaced(name)), described]];
  });

interface Target {
  label: string;
  path: string | null;
}

/** Targets that have no name in the log, by the first part of the action. */
const targets: Record<string, (id: string) => Target> = {
  batch: () => ({ label: 'Batch', path: paths.batches }),
  faq: () => ({ label: 'FAQ', path: paths.faqs }),
  gift: () => ({ label: 'Gift', path: paths.gifts }),
  letter: (id) => ({ label: 'Conversation', path: paths.conversation(id) }),
  message: () => ({ label: 'Message', path: paths.messages }),
  prices: () => ({ label: 'Price move', path: paths.prices }),
  parked: () => ({ label: 'Failed event', path: paths.failedEvents }),
  saved_reply: () => ({ label: 'Saved reply', path: paths.inbox }),
  sender: (number) => ({ label: number, path: paths.smsProvider }),
  template: () => ({ label: 'Library message', path: paths.library }),
  user: () => ({ label: 'Deleted subscriber', path: null }),
};

/** Returns a title, or the new one of a renamed message. */
function titleOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const to = typeof value === 'object' && value !== null && 'to' in value ? value.to : null;
  return typeof to === 'string' ? to : null;
}

/** Returns the name of what was acted on, with its page; null if nothing was. */
export function describeTarget({
  action,
  target,
  target_subscriber,
  target_admin,
  details,
}: Pick<
  AuditEntry,
  'action' | 'target' | 'target_subscriber' | 'target_admin' | 'details'
>): Target | null {
  if (target === null) return null;
  if (target_subscriber !== null)
    return { label: target_subscriber.name, path: paths.subscriber(target_subscriber.id) };
  if (target_admin !== null) return { label: target_admin, path: paths.admins };
  const [kind = ''] = action.split('.');
  const known = targets[kind]?.(target) ?? { label: target, path: null };
  const title = titleOf(details?.title);
  if (title === null) return known;
  const isMessage = kind === 'message' && action !== 'message.deleted';
  return { label: title, path: isMessage ? paths.messagesTitled(title) : known.path };
}
