import { lazyRoute } from '@daylift/ui/lazy';
import { type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router';
import { InvitationPage } from './features/session/InvitationPage.tsx';
import { LoginPage } from './features/session/LoginPage.tsx';
import { LoadingPage } from './layouts/LoadingPage.tsx';
import { NotFoundPage } from './layouts/NotFoundPage.tsx';
import { PageFrame } from './layouts/PageFrame.tsx';
import { RouteErrorPage } from './layouts/RouteErrorPage.tsx';
import { pages } from './pages.tsx';
import { movedTo, paths } from './paths.ts';
import { queryClient } from './query-client.ts';
import { adminToken } from './session/token.ts';
import { adminQuery } from './session/use-admin.ts';

/** Loads the admin and the operators' time zone first, because all pages show times in it. */
const onlySignedIn = async () => {
  if (adminToken.read() === null) return redirect(paths.login);
  await queryClient.ensureQueryData({ ...adminQuery, retry: false }).catch(() => null);
  return null;
};
const onlySignedOut = () => (adminToken.read() === null ? null : redirect(paths.dashboard));

const movedPage = ({ request }: LoaderFunctionArgs) => {
  const moved = movedTo(new URL(request.url).searchParams);
  return moved === null ? null : redirect(moved);
};

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
          { path: paths.settings, loader: () => redirect(paths.testingMode) },
          ...pages.flatMap(({ sections }) =>
            sections.map(({ path }) => ({ path, loader: movedPage, Component: PageFrame })),
          ),
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
