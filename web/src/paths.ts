import type { PlanId } from '@daylift/contracts/plans';

/** All URLs of the pages. */
export type PlanChoice = PlanId;

export const paths = {
  home: '/',
  benefits: '/#benefits',
  pricing: '/#pricing',
  signup: '/signup',
  signupFor: (plan: PlanChoice) => `/signup?plan=${plan}`,
  login: '/login',
  /** Login that redirects back to a signed-in page. */
  loginFor: (page: string) =>
    page === '/dashboard' ? '/login' : `/login?next=${encodeURIComponent(page)}`,
  dashboard: '/dashboard',
  plan: '/dashboard?tab=plan',
  settings: '/dashboard?tab=settings',
  upgrade: '/upgrade',
  upgradeTo: (plan: PlanChoice) => `/upgrade?plan=${plan}`,
  success: '/success',
  confirmEmail: '/confirm-email',
  revertChange: '/revert-change',
  cancelPlan: '/cancel-plan',
  keepPrice: '/keep-price',
  privacy: '/privacy',
  terms: '/terms',
  contact: '/contact',
  gift: '/gift',
  /** The target of a gift link. The code follows a #. */
  redeem: '/redeem',
  giftStarted: '/redeem?started',
  goodbye: '/goodbye',
} as const;

const clientPages: readonly string[] = [paths.dashboard, paths.upgrade, paths.redeem];

/** Returns the redirect target after sign-in. Only our own pages are allowed, to prevent open redirects. */
export const pageAfterLogin = (search: URLSearchParams): string => {
  const next = search.get('next') ?? '';
  const [path = ''] = next.split(/[?#]/);
  return clientPages.includes(path) ? next : paths.dashboard;
};
