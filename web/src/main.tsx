import '@fontsource-variable/nunito/wght.css';
import '@daylift/ui/base.css';
import './waiting.css';
import { startColorScheme } from '@daylift/ui/color-scheme';
import { type ReactNode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { catalogueQuery } from './catalogue.ts';
import { faqsQuery } from './features/landing/Faqs.tsx';
import { LandingApp } from './LandingApp.tsx';
import { paths } from './paths.ts';
import { queryClient } from './query-client.ts';
import { collectTypedInput, ReplayInput } from './replay-input.tsx';
import { readToken } from './session/token.ts';

startColorScheme();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

/** The landing page is in the entry chunk; the router and all other pages are in a second one. */
const loadPage = async (prerendered: boolean): Promise<ReactNode> =>
  window.location.pathname === paths.home ? (
    <LandingApp />
  ) : (
    (await import('./App.tsx')).createApp(prerendered)
  );

/** Hydrates a prerendered page with its embedded data, in small steps. */
const hydrate = async (page: HTMLElement, catalogue: string): Promise<void> => {
  queryClient.setQueryData(catalogueQuery.queryKey, JSON.parse(catalogue));
  const faqs = document.getElementById('faqs')?.textContent;
  if (faqs) queryClient.setQueryData(faqsQuery.queryKey, JSON.parse(faqs));
  const app = await loadPage(true);
  const queued = window.inputQueue?.take() ?? [];
  const typed = collectTypedInput(page);
  startTransition(() => {
    hydrateRoot(
      page,
      <ReplayInput queued={queued} typed={typed}>
        {app}
      </ReplayInput>,
    );
  });
};

/** A signed-in user is redirected from the login, so the prerendered page isn't hydrated. */
const isAtLogin = window.location.pathname.toLowerCase().replace(/\/+$/, '') === paths.login;
const redirectsAway = isAtLogin && readToken() !== null;
const catalogue = document.getElementById('catalogue')?.textContent;
if (catalogue && root.hasChildNodes() && !redirectsAway) hydrate(root, catalogue);
else loadPage(false).then((app) => createRoot(root).render(app));
