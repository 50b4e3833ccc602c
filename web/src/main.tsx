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

/** The landing page stands in this first file; everything else, with the router, comes as a second. */
const loadPage = async (drawn: boolean): Promise<ReactNode> =>
  window.location.pathname === paths.home ? (
    <LandingApp />
  ) : (
    (await import('./App.tsx')).createApp(drawn)
  );

/** The server has drawn this page with the catalogue that stands beside it: here it comes to life, in small pieces. */
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

/** Who is signed in has nothing to do at the login: another page comes instead of the one that was drawn. */
const isAtLogin = window.location.pathname.toLowerCase().replace(/\/+$/, '') === paths.login;
const leadsElsewhere = isAtLogin && readToken() !== null;
const catalogue = document.getElementById('catalogue')?.textContent;
if (catalogue && root.hasChildNodes() && !leadsElsewhere) wakeUp(root, catalogue);
else loadPage(false).then((app) => createRoot(root).render(app));
