/** All URLs of the admin pages. */
export const paths = {
  root: '/admin',
  login: '/admin/login',
  invitation: '/admin/invitation',
  account: '/admin/account',
  dashboard: '/admin/dashboard',
  subscribers: '/admin/subscribers',
  subscriber: (id: string) => `/admin/subscribers/${id}`,
  messages: '/admin/messages',
  calendar: '/admin/messages/calendar',
  library: '/admin/messages/library',
  /** The form for a new message, with its date filled in. */
  messageFor: (date: string) => `/admin/messages?date=${date}`,
  /** The list, searched for a title. */
  messagesTitled: (title: string) => `/admin/messages?${new URLSearchParams({ search: title })}`,
  smsSystem: '/admin/sms-system',
  statistics: '/admin/sms-system/statistics',
  batches: '/admin/sms-system/batches',
  deliveryLog: '/admin/sms-system/delivery-log',
  smsProvider: '/admin/sms-system/provider',
  providerErrors: '/admin/sms-system/errors',
  business: '/admin/business',
  promotions: '/admin/business/promotions',
  gifts: '/admin/business/gifts',
  prices: '/admin/business/prices',
  forecast: '/admin/forecast',
  undelivered: '/admin/undelivered',
  failedEvents: '/admin/failed-events',
  inbox: '/admin/inbox',
  conversation: (id: string) => `/admin/inbox?conversation=${id}`,
  settings: '/admin/settings',
  testingMode: '/admin/settings/testing-mode',
  alerts: '/admin/settings/alerts',
  credits: '/admin/settings/credits',
  provider: '/admin/settings/provider',
  faqs: '/admin/settings/faqs',
  admins: '/admin/settings/admins',
  auditLog: '/admin/settings/audit-log',
} as const;

const formerTabs = new Map<string | null, string>([
  ['subscribers', paths.subscribers],
  ['messages', paths.messages],
  ['sms', paths.smsSystem],
  ['errors', paths.providerErrors],
  ['forecast', paths.forecast],
  ['undelivered', paths.undelivered],
  ['inbox', paths.inbox],
  ['failed', paths.failedEvents],
  ['admins', paths.admins],
  ['audit', paths.auditLog],
]);

const formerViews = new Map<string | null, string>([
  ['calendar', paths.calendar],
  ['library', paths.library],
  ['faqs', paths.faqs],
]);

/** Returns the path that replaced `/admin/dashboard?tab=…`, which emails and bookmarks still use. */
export function movedTo(search: URLSearchParams): string | null {
  const view = search.get('tab') === 'messages' ? formerViews.get(search.get('view')) : undefined;
  const path = view ?? formerTabs.get(search.get('tab'));
  if (path === undefined) return null;
  const params = new URLSearchParams(search);
  for (const name of ['tab', 'view']) params.delete(name);
  return params.size === 0 ? path : `${path}?${params}`;
}
