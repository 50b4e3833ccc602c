/** Every address of the pages, once. The route table and all links read it. */
export type PlanChoice = 'monthly' | 'yearly';

export const paths = {
  home: '/',
  benefits: '/#benefits',
  pricing: '/#pricing',
  signup: '/signup',
  signupFor: (plan: PlanChoice) => `/signup?plan=${plan}`,
  login: '/login',
  dashboard: '/dashboard',
  settings: '/dashboard?tab=settings',
  upgrade: '/upgrade',
  upgradeTo: (plan: PlanChoice) => `/upgrade?plan=${plan}`,
  success: '/success',
  privacy: '/privacy',
  terms: '/terms',
  contact: '/contact',
} as const;
