import { QueryClientProvider } from '@tanstack/react-query';
import { LandingPage } from './features/landing/LandingPage.tsx';
import { SiteLayout } from './layouts/SiteLayout.tsx';
import { queryClient } from './query-client.ts';

/** The landing page without the router, so it loads less code. */
export const LandingApp = () => (
  <QueryClientProvider client={queryClient}>
    <SiteLayout>
      <LandingPage />
    </SiteLayout>
  </QueryClientProvider>
);
