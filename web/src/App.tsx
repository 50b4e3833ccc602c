import { QueryClientProvider } from '@tanstack/react-query';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { LinkContext } from './components/AppLink.tsx';
import { RouterLink } from './components/RouterLink.tsx';
import { queryClient } from './query-client.ts';
import { routes } from './routes.tsx';

const router = createBrowserRouter(routes);

/** Everything behind the landing page. */
export const App = () => (
  <QueryClientProvider client={queryClient}>
    <LinkContext value={RouterLink}>
      <RouterProvider router={router} />
    </LinkContext>
  </QueryClientProvider>
);
