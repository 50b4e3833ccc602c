import { capitalized, formatCount, formatLocalDate } from '@daylift/ui/formats';

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
  'user.deleted': 'Deleted a subscriber',
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
  'faq.created': 'Added an FAQ',
  'faq.changed': 'Changed an FAQ',
  'faq.deleted': 'Deleted an FAQ',
  'faqs.ordered': 'Reordered the FAQs',
  'scheduler.run': 'Ran the scheduler',
  'queue.processed': 'Processed the queue',
  'batch.resumed': 'Resumed a batch',
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

const written = (value: string | number | boolean): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return formatCount(value);
  return /^\d{4}-\d\d-\d\d$/.test(value) ? formatLocalDate(value) : value;
};

export const isInstant = (value: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);

/** Returns name and value of each changed field, skipping nested and empty values. Instants stay as they are. */
export const describeDetails = (
  details: Record<string, unknown> | null,
): [name: string, value: string][] =>
  Object.entries(details ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[spaced(name), written(value)]]
      : [],
  );
