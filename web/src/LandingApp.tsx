import { QueryClientProvider } from '@tanstack/react-query';
import { LandingPage } from './features/landing/LandingPage.tsx';
import { SiteLayout } from './layouts/SiteLayout.tsx';
import { queryClient } from './query-client.ts';

/** The landing page by itself: the same page that the route table holds, without the router around it. */
export const LandingApp = () => (
  <QueryClientProvider client={queryClient}>
    <SiteLayout>
      <LandingPage />
    </SiteLayout>
  </QueryClientProvider>
);
