import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createBrowserRouter, matchRoutes } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { LinkContext } from './components/AppLink.tsx';
import { RouterLink } from './components/RouterLink.tsx';
import { queryClient } from './query-client.ts';
import { routes } from './routes.tsx';

/** The code of the page that the server drew must be there before the router begins, or it would show its loading. */
const loadDrawnPage = async (): Promise<void> => {
  for (const { route } of matchRoutes(routes, window.location) ?? []) {
    if (typeof route.lazy !== 'function') continue;
    const page = await route.lazy();
    Object.assign(route, page, { lazy: undefined });
  }
};

/** What the loaders of the drawn pages would answer, by the ids of their routes. */
const drawnData = { loaderData: { login: null, terms: null } };

/** Everything behind the landing page. */
export const createApp = async (drawn: boolean): Promise<ReactNode> => {
  if (drawn) await loadDrawnPage();
  const router = createBrowserRouter(routes, drawn ? { hydrationData: drawnData } : {});
  return (
    <QueryClientProvider client={queryClient}>
      <LinkContext value={RouterLink}>
        <RouterProvider router={router} />
      </LinkContext>
    </QueryClientProvider>
  );
};
