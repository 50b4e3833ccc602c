import { expect, test } from 'vitest';
import { pageAfterLogin, paths } from './paths.ts';

test('the URLs of the pages are stable', () => {
  expect({
    ...paths,
    signupFor: paths.signupFor('yearly'),
    loginFor: paths.loginFor('/dashboard?tab=settings'),
    upgradeTo: paths.upgradeTo('yearly'),
  }).toEqual({
    home: '/',
    benefits: '/#benefits',
    pricing: '/#pricing',
    signup: '/signup',
    signupFor: '/signup?plan=yearly',
    confirmEmail: '/confirm-email',
    revertChange: '/revert-change',
    cancelPlan: '/cancel-plan',
    keepPrice: '/keep-price',
    login: '/login',
    loginFor: '/login?next=%2Fdashboard%3Ftab%3Dsettings',
    dashboard: '/dashboard',
    plan: '/dashboard?tab=plan',
    settings: '/dashboard?tab=settings',
    upgrade: '/upgrade',
    upgradeTo: '/upgrade?plan=yearly',
    success: '/success',
    privacy: '/privacy',
    terms: '/terms',
    contact: '/contact',
    gift: '/gift',
    redeem: '/redeem',
    giftStarted: '/redeem?started',
    goodbye: '/goodbye',
  });
});

test.each([
  ['', '/dashboard'],
  ['?next=/dashboard?tab=settings', '/dashboard?tab=settings'],
  ['?next=%2Fupgrade%3Fplan%3Dyearly', '/upgrade?plan=yearly'],
  ['?next=%2Fredeem', '/redeem'],
  ['?next=//evil.test/dashboard', '/dashboard'],
  ['?next=https://evil.test/dashboard', '/dashboard'],
  ['?next=/dashboard@evil.test', '/dashboard'],
  ['?next=/dashboard/../admin', '/dashboard'],
  ['?next=javascript:alert(1)', '/dashboard'],
])('a sign-in with %s leads to %s', (search, page) => {
  expect(pageAfterLogin(new URLSearchParams(search))).toBe(page);
});
