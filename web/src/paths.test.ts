import { expect, test } from 'vitest';
import { paths } from './paths.ts';

test('the addresses of the pages stay as they were given out', () => {
  expect({
    ...paths,
    signupFor: paths.signupFor('yearly'),
    upgradeTo: paths.upgradeTo('yearly'),
  }).toEqual({
    home: '/',
    benefits: '/#benefits',
    pricing: '/#pricing',
    signup: '/signup',
    signupFor: '/signup?plan=yearly',
    login: '/login',
    dashboard: '/dashboard',
    settings: '/dashboard?tab=settings',
    upgrade: '/upgrade',
    upgradeTo: '/upgrade?plan=yearly',
    success: '/success',
    privacy: '/privacy',
    terms: '/terms',
    contact: '/contact',
  });
});
