/** All URLs of the admin pages. */
export const tabs = [
  'dashboard',
  'subscribers',
  'messages',
  'sms',
  'forecast',
  'undelivered',
  'inbox',
  'failed',
  'admins',
  'audit',
] as const;
export type Tab = (typeof tabs)[number];

export const readTab = (value: string | null): Tab =>
  tabs.find((tab) => tab === value) ?? 'dashboard';

/** Views of the Messages tab. */
export const messageViews = ['schedule', 'calendar', 'library', 'faqs'] as const;
export type MessageView = (typeof messageViews)[number];

export const readMessageView = (value: string | null): MessageView =>
  messageViews.find((view) => view === value) ?? 'schedule';

export const paths = {
  root: '/admin',
  login: '/admin/login',
  invitation: '/admin/invitation',
  account: '/admin/account',
  dashboard: '/admin/dashboard',
  messages: (view: MessageView) =>
    view === 'schedule'
      ? '/admin/dashboard?tab=messages'
      : `/admin/dashboard?tab=messages&view=${view}`,
  /** The form for a new message, with its date filled in. */
  messageFor: (date: string) => `/admin/dashboard?tab=messages&date=${date}`,
  subscriber: (id: string) => `/admin/subscribers/${id}`,
  tab: (tab: Tab) => (tab === 'dashboard' ? '/admin/dashboard' : `/admin/dashboard?tab=${tab}`),
} as const;
