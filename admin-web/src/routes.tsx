import { lazyRoute } from '@daylift/ui/lazy';
import { type RouteObject, redirect } from 'react-router';
import { InvitationPage } from './features/session/InvitationPage.tsx';
import { LoginPage } from './features/session/LoginPage.tsx';
import { LoadingPage } from './layouts/LoadingPage.tsx';
import { NotFoundPage } from './layouts/NotFoundPage.tsx';
import { RouteErrorPage } from './layouts/RouteErrorPage.tsx';
import { TabPage } from './layouts/TabPage.tsx';
import { paths } from './paths.ts';
import { adminToken } from './session/token.ts';

const onlySignedIn = () => (adminToken.read() === null ? redirect(paths.login) : null);
const onlySignedOut = () => (adminToken.read() === null ? null : redirect(paths.dashboard));

export const routes: RouteObject[] = [
  {
    ErrorBoundary: RouteErrorPage,
    HydrateFallback: LoadingPage,
    children: [
      { path: paths.root, loader: () => redirect(paths.dashboard) },
      { path: paths.invitation, Component: InvitationPage },
      { path: paths.login, loader: onlySignedOut, Component: LoginPage },
      {
        loader: onlySignedIn,
        lazy: lazyRoute('AdminLayout', () => import('./layouts/AdminLayout.tsx')),
        children: [
          { path: paths.dashboard, Component: TabPage },
          {
            path: paths.account,
            lazy: lazyRoute('AccountPage', () => import('./features/account/AccountPage.tsx')),
          },
          {
            path: paths.subscriber(':id'),
            lazy: lazyRoute(
              'SubscriberPage',
              () => import('./features/subscribers/page/SubscriberPage.tsx'),
            ),
          },
        ],
      },
      { path: '*', Component: NotFoundPage },
    ],
  },
];
