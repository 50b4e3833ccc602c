import { lazyRoute } from '@daylift/ui/lazy';
import { type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router';
import { catalogueQuery } from './catalogue.ts';
import { LoadingPage } from './layouts/LoadingPage.tsx';
import { RootLayout } from './layouts/RootLayout.tsx';
import { RouteErrorPage } from './layouts/RouteErrorPage.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { pageAfterLogin, paths } from './paths.ts';
import { queryClient } from './query-client.ts';
import { readToken } from './session/token.ts';

const onlySignedIn = ({ request }: LoaderFunctionArgs) => {
  const { pathname, search } = new URL(request.url);
  return readToken() === null ? redirect(paths.loginFor(pathname + search)) : null;
};
const onlySignedOut = ({ request }: LoaderFunctionArgs) =>
  readToken() === null ? null : redirect(pageAfterLogin(new URL(request.url).searchParams));

/** Waits for the prices; the page handles a failure itself. */
const withCatalogue = () => queryClient.ensureQueryData(catalogueQuery).catch(() => null);

/** Pages that use Mantine; its provider and styles load with the first of them. */
const interactivePages: RouteObject[] = [
  {
    path: paths.signup,
    lazy: lazyRoute('SignupPage', () => import('./features/signup/SignupPage.tsx')),
  },
  {
    path: paths.success,
    lazy: async () => {
      const page = await import('./features/signup/SuccessPage.tsx');
      return { Component: page.SuccessPage, loader: page.loader };
    },
  },
  {
    id: 'login',
    path: paths.login,
    loader: onlySignedOut,
    lazy: lazyRoute('LoginPage', () => import('./features/session/LoginPage.tsx')),
  },
  {
    path: paths.confirmEmail,
    lazy: lazyRoute('ConfirmEmailPage', () => import('./features/proofs/ConfirmEmailPage.tsx')),
  },
  {
    path: paths.revertChange,
    lazy: lazyRoute('RevertChangePage', () => import('./features/proofs/RevertChangePage.tsx')),
  },
  {
    path: paths.cancelPlan,
    lazy: lazyRoute('CancelByLinkPage', () => import('./features/plan/CancelByLinkPage.tsx')),
  },
  {
    path: paths.keepPrice,
    lazy: lazyRoute('DeclinePricePage', () => import('./features/plan/CancelByLinkPage.tsx')),
  },
  {
    path: paths.gift,
    lazy: lazyRoute('GiftPage', () => import('./features/gifts/GiftPage.tsx')),
  },
  {
    path: paths.redeem,
    lazy: lazyRoute('RedeemPage', () => import('./features/signup/RedeemPage.tsx')),
  },
  {
    path: paths.contact,
    lazy: lazyRoute('ContactPage', () => import('./pages/ContactPage.tsx')),
  },
  {
    path: paths.dashboard,
    loader: onlySignedIn,
    lazy: lazyRoute('DashboardPage', () => import('./pages/DashboardPage.tsx')),
  },
  {
    path: paths.upgrade,
    loader: onlySignedIn,
    lazy: lazyRoute('UpgradePage', () => import('./pages/UpgradePage.tsx')),
  },
];

const textPages: RouteObject[] = [
  {
    path: paths.home,
    lazy: lazyRoute('LandingPage', () => import('./features/landing/LandingPage.tsx')),
  },
  {
    path: paths.privacy,
    lazy: lazyRoute('PrivacyPage', () => import('./pages/PrivacyPage.tsx')),
  },
  {
    id: 'terms',
    path: paths.terms,
    loader: withCatalogue,
    lazy: lazyRoute('TermsPage', () => import('./pages/TermsPage.tsx')),
  },
  {
    path: paths.goodbye,
    loader: onlySignedOut,
    lazy: lazyRoute('GoodbyePage', () => import('./pages/GoodbyePage.tsx')),
  },
  { path: '*', Component: NotFoundPage },
];

export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    ErrorBoundary: RouteErrorPage,
    HydrateFallback: LoadingPage,
    children: [
      ...textPages,
      {
        lazy: lazyRoute('InteractiveLayout', () => import('./layouts/InteractiveLayout.tsx')),
        children: interactivePages,
      },
    ],
  },
];
