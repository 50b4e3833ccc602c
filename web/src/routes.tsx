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
    lazy: async () => ({
      Component: (await import('./features/signup/SignupPage.tsx')).SignupPage,
    }),
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
    lazy: async () => ({ Component: (await import('./features/session/LoginPage.tsx')).LoginPage }),
  },
  {
    path: paths.confirmEmail,
    lazy: async () => ({
      Component: (await import('./features/proofs/ConfirmEmailPage.tsx')).ConfirmEmailPage,
    }),
  },
  {
    path: paths.revertChange,
    lazy: async () => ({
      Component: (await import('./features/proofs/RevertChangePage.tsx')).RevertChangePage,
    }),
  },
  {
    path: paths.contact,
    lazy: async () => ({ Component: (await import('./pages/ContactPage.tsx')).ContactPage }),
  },
  {
    path: paths.dashboard,
    loader: onlySignedIn,
    lazy: async () => ({ Component: (await import('./pages/DashboardPage.tsx')).DashboardPage }),
  },
  {
    path: paths.upgrade,
    loader: onlySignedIn,
    lazy: async () => ({ Component: (await import('./pages/UpgradePage.tsx')).UpgradePage }),
  },
];

const textPages: RouteObject[] = [
  {
    path: paths.home,
    lazy: async () => ({
      Component: (await import('./features/landing/LandingPage.tsx')).LandingPage,
    }),
  },
  {
    path: paths.privacy,
    lazy: async () => ({ Component: (await import('./pages/PrivacyPage.tsx')).PrivacyPage }),
  },
  {
    id: 'terms',
    path: paths.terms,
    loader: withCatalogue,
    lazy: async () => ({ Component: (await import('./pages/TermsPage.tsx')).TermsPage }),
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
        lazy: async () => ({
          Component: (await import('./layouts/InteractiveLayout.tsx')).InteractiveLayout,
        }),
        children: interactivePages,
      },
    ],
  },
];
