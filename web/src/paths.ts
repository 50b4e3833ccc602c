/** Every address of the pages, once. The route table and all links read it. */
export type PlanChoice = 'monthly' | 'yearly';

export const paths = {
  home: '/',
  benefits: '/#benefits',
  pricing: '/#pricing',
  signup: '/signup',
  signupFor: (plan: PlanChoice) => `/signup?plan=${plan}`,
  login: '/login',
  /** The login that leads on to a page of one's own. */
  loginFor: (page: string) =>
    page === '/dashboard' ? '/login' : `/login?next=${encodeURIComponent(page)}`,
  dashboard: '/dashboard',
  settings: '/dashboard?tab=settings',
  upgrade: '/upgrade',
  upgradeTo: (plan: PlanChoice) => `/upgrade?plan=${plan}`,
  success: '/success',
  confirmEmail: '/confirm-email',
  revertChange: '/revert-change',
  privacy: '/privacy',
  terms: '/terms',
  contact: '/contact',
} as const;

const ownPages: readonly string[] = [paths.dashboard, paths.upgrade];

/** Where a sign-in leads: to the page that asked for it if that is one of our own, never to whatever an address names. */
export const pageAfterLogin = (search: URLSearchParams): string => {
  const next = search.get('next') ?? '';
  const [path = ''] = next.split(/[?#]/);
  return ownPages.includes(path) ? next : paths.dashboard;
};
