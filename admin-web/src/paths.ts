/** Every address of the admin pages, once. The route table and all links read it. */
export const tabs = ['dashboard', 'subscribers', 'messages', 'sms', 'parked'] as const;
export type Tab = (typeof tabs)[number];

export const readTab = (value: string | null): Tab =>
  tabs.find((tab) => tab === value) ?? 'dashboard';

export const paths = {
  root: '/admin',
  login: '/admin/login',
  dashboard: '/admin/dashboard',
  subscriber: (id: string) => `/admin/subscribers/${id}`,
  tab: (tab: Tab) => (tab === 'dashboard' ? '/admin/dashboard' : `/admin/dashboard?tab=${tab}`),
} as const;
