import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createBrowserRouter, matchRoutes } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { LinkContext } from './components/AppLink.tsx';
import { RouterLink } from './components/RouterLink.tsx';
import { queryClient } from './query-client.ts';
import { routes } from './routes.tsx';

/** Loads the prerendered page's code first, or the router would show its loading state. */
const loadPrerenderedPage = async (): Promise<void> => {
  for (const { route } of matchRoutes(routes, window.location) ?? []) {
    if (typeof route.lazy !== 'function') continue;
    const page = await route.lazy();
    Object.assign(route, page, { lazy: undefined });
  }
};

/** Loader data of the prerendered pages, by route ID. */
const prerenderedData = { loaderData: { login: null, terms: null } };

/** The router app: every page, including the landing page after navigation. */
export const createApp = async (prerendered: boolean): Promise<ReactNode> => {
  if (prerendered) await loadPrerenderedPage();
  const router = createBrowserRouter(routes, prerendered ? { hydrationData: prerenderedData } : {});
  return (
    <QueryClientProvider client={queryClient}>
      <LinkContext value={RouterLink}>
        <RouterProvider router={router} />
      </LinkContext>
    </QueryClientProvider>
  );
};
