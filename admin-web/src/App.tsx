import { describeError } from '@daylift/api-client/operators-errors';
import { UiProvider } from '@daylift/ui/UiProvider';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './query-client.ts';
import { routes } from './routes.tsx';

const describeLoadError = (error: unknown) => describeError('load page', error);
const router = createBrowserRouter(routes);

export const App = () => (
  <QueryClientProvider client={queryClient}>
    <UiProvider describeLoadError={describeLoadError}>
      <Notifications position="bottom-right" />
      <RouterProvider router={router} />
    </UiProvider>
  </QueryClientProvider>
);
