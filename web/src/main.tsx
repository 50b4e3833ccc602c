import '@fontsource-variable/nunito/wght.css';
import '@daylift/ui/base.css';
import { startColorScheme } from '@daylift/ui/color-scheme';
import { type ReactNode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { Awake, findTyped } from './awake.tsx';
import { catalogueQuery } from './catalogue.ts';
import { LandingApp } from './LandingApp.tsx';
import { paths } from './paths.ts';
import { queryClient } from './query-client.ts';
import { readToken } from './session/token.ts';

startColorScheme();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

/** The landing page is in the entry chunk; the router and all other pages are in a second one. */
const loadPage = async (drawn: boolean): Promise<ReactNode> =>
  window.location.pathname === paths.home ? (
    <LandingApp />
  ) : (
    (await import('./App.tsx')).createApp(drawn)
  );

/** Hydrates a prerendered page with its embedded catalogue, in small steps. */
const wakeUp = async (page: HTMLElement, catalogue: string): Promise<void> => {
  queryClient.setQueryData(catalogueQuery.queryKey, JSON.parse(catalogue));
  const app = await loadPage(true);
  const held = window.early?.handOver() ?? [];
  const typed = findTyped(page);
  startTransition(() => {
    hydrateRoot(
      page,
      <Awake held={held} typed={typed}>
        {app}
      </Awake>,
    );
  });
};

/** A signed-in user is redirected from the login, so the prerendered page isn't hydrated. */
const isAtLogin = window.location.pathname.toLowerCase().replace(/\/+$/, '') === paths.login;
const leadsElsewhere = isAtLogin && readToken() !== null;
const catalogue = document.getElementById('catalogue')?.textContent;
if (catalogue && root.hasChildNodes() && !leadsElsewhere) wakeUp(root, catalogue);
else loadPage(false).then((app) => createRoot(root).render(app));
