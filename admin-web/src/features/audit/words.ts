import { formatCount, formatLocalDate, formatMoment } from '@daylift/ui/formats';

/** What was done, as people say it. Whatever has no words here is still shown, by its own name. */
const words: Record<string, string> = {
  'admin.logged_in': 'Signed in',
  'admin.logged_out': 'Signed out',
  'admin.login_failed': 'Failed to sign in',
  'admin.invited': 'Invited an admin',
  'admin.joined': 'Chose a password by an invitation',
  'admin.role_changed': 'Changed the role of an admin',
  'admin.deactivated': 'Deactivated an admin',
  'admin.activated': 'Activated an admin',
  'admin.password_reset': 'Reset the password of an admin',
  'admin.password_changed': 'Changed their password',
  'admin.totp_enabled': 'Switched two-step sign-in on',
  'admin.totp_disabled': 'Switched two-step sign-in off',
  'admin.totp_removed': 'Removed the two-step sign-in of an admin',
  'users.listed': 'Looked at the list of subscribers',
  'texts.listed': 'Looked at the delivery log',
  'user.viewed': 'Looked at a subscriber',
  'user.created': 'Added a subscriber',
  'user.paused': 'Paused a subscriber',
  'user.activated': 'Activated a subscriber',
  'user.deleted': 'Deleted a subscriber',
  'message.scheduled': 'Scheduled a message',
  'message.changed': 'Changed a scheduled message',
  'message.deleted': 'Deleted a scheduled message',
  'message.sent_now': 'Sent a message to everybody',
  'messages.imported': 'Imported messages',
  'template.created': 'Added a message to the library',
  'template.changed': 'Changed a message of the library',
  'template.deleted': 'Deleted a message of the library',
  'faq.created': 'Added a question to the FAQs',
  'faq.changed': 'Changed a question of the FAQs',
  'faq.deleted': 'Deleted a question of the FAQs',
  'faqs.ordered': 'Put the FAQs in another order',
  'scheduler.run': 'Ran the scheduler',
  'queue.processed': 'Processed the queue',
  'provider.tried': 'Tried the provider',
  'sending.frozen': 'Froze all sending',
  'sending.started_again': 'Started sending again',
  'testing_mode.switched_on': 'Switched testing mode on',
  'testing_mode.switched_off': 'Switched testing mode off',
  'testing_mode.number_changed': 'Changed the test number',
  'alert_settings.changed': 'Changed the alert settings',
  'delivery_log.exported': 'Exported the delivery log',
  'letter.answered': 'Answered a message of the inbox',
  'letter.closed': 'Closed a message of the inbox',
  'letter.reopened': 'Reopened a message of the inbox',
  'parked.replayed': 'Tried parked work again',
  'parked.replay_failed': 'Tried parked work again, in vain',
  'parked.discarded': 'Discarded parked work',
};

export const knownActions = Object.entries(words).map(([value, label]) => ({ value, label }));

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const spaced = (text: string): string => text.replaceAll(/[._]/g, ' ');

export const describeAction = (action: string): string =>
  words[action] ?? capitalized(spaced(action));

const written = (value: string | number | boolean): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return formatCount(value);
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatLocalDate(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? formatMoment(value) : value;
};

/** What was changed, field by field; what is nested or empty tells people nothing. */
export const describeDetails = (details: Record<string, unknown> | null): string[] =>
  Object.entries(details ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [`${spaced(name)}: ${written(value)}`]
      : [],
  );
