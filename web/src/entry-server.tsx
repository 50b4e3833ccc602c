import type { PublicCatalogue } from '@daylift/contracts/billing.http';
import type { Faq } from '@daylift/contracts/content.http';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import { catalogueQuery } from './catalogue.ts';
import { LinkContext } from './components/AppLink.tsx';
import { RouterLink } from './components/RouterLink.tsx';
import { faqsQuery } from './features/landing/Faqs.tsx';
import { LandingApp } from './LandingApp.tsx';
import { paths } from './paths.ts';
import { describePage } from './prerendered-pages.ts';
import { queryClient } from './query-client.ts';
import { routes } from './routes.tsx';

export { prerenderKey, sitemapPaths } from './prerendered-pages.ts';

/** `.vite/manifest.json` of the browser build. */
type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>;

export interface RenderOptions {
  address: string;
  catalogue: PublicCatalogue;
  /** Null if unavailable: the browser loads them. */
  faqs: Faq[] | null;
  /** index.html of the same build. */
  template: string;
  manifest: Manifest;
  publicUrl: string;
}

const { query, dataRoutes } = createStaticHandler(routes);

const createPage = async (address: string): Promise<ReactNode> => {
  if (address === paths.home) return <LandingApp />;
  const context = await query(new Request(new URL(address, 'http://page.invalid')));
  if (context instanceof Response) throw new Error(`${address} redirects`);
  return (
    <QueryClientProvider client={queryClient}>
      <LinkContext value={RouterLink}>
        <StaticRouterProvider
          router={createStaticRouter(dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </LinkContext>
    </QueryClientProvider>
  );
};

/** Returns the JS and CSS files of the page's modules, dependencies first. */
const filesOf = (
  manifest: Manifest,
  modules: readonly string[],
): { js: string[]; css: string[] } => {
  const seen = new Set<string>();
  const css = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (chunk === undefined || seen.has(chunk.file)) return;
    seen.add(chunk.file);
    for (const one of chunk.imports ?? []) visit(one);
    for (const one of chunk.css ?? []) css.add(`/${one}`);
  };
  for (const name of modules) visit(name);
  return { js: [...seen].map((file) => `/${file}`), css: [...css] };
};

const escapeText = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Escapes `<`, so the data can't close its script element. */
const dataElement = (id: string, data: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;

/** Renders a page to a full HTML document. */
export const renderPage = async (
  options: RenderOptions,
): Promise<{ status: number; html: string }> => {
  const { address, catalogue, faqs, template, manifest, publicUrl } = options;
  const withFaqs = address === paths.home && faqs !== null;
  queryClient.setQueryData(catalogueQuery.queryKey, catalogue);
  if (withFaqs) queryClient.setQueryData(faqsQuery.queryKey, faqs);
  else queryClient.removeQueries(faqsQuery);
  // React renders resource hints before the page; move them to the head.
  const [, hints = '', prerendered = ''] =
    /^((?:<(?:title|link)[^>]*>(?:[^<]*<\/title>)?)*)(.*)$/s.exec(
      renderToString(await createPage(address)),
    ) ?? [];
  const title = /<title>(.*?)<\/title>/.exec(hints)?.[1] ?? catalogue.product_name;
  const page = describePage(address);
  const { js, css } = filesOf(manifest, page.modules);
  const [app = ''] = [/<script type="module"[^>]* src="([^"]+)"><\/script>/.exec(template)?.[1]];
  const url = `${publicUrl}${page.path}`;
  const head = [
    hints.replace(/<title>.*?<\/title>/, ''),
    ...css
      .filter((file) => !template.includes(file))
      .map((file) => `<link rel="stylesheet" crossorigin href="${file}">`),
    ...(page.status === 200 ? [`<link rel="canonical" href="${escapeText(url)}">`] : []),
    `<meta property="og:url" content="${escapeText(url)}">`,
    `<meta property="og:site_name" content="${escapeText(catalogue.product_name)}">`,
    `<meta property="og:title" content="${title}">`,
    `<meta property="og:description" content="${escapeText(page.description)}">`,
    `<meta property="og:image" content="${escapeText(publicUrl)}/social.png">`,
  ].join('');
  return {
    status: page.status,
    html: template
      .replace(/<title>.*?<\/title>/, `<title>${title}</title>`)
      .replace(/(<meta\s+name="description"\s+content=")[^"]*/, `$1${escapeText(page.description)}`)
      .replace(/<script type="module".*?<\/script>/, '')
      .replace(/<link rel="modulepreload"[^>]*>/g, '')
      .replace('<link rel="preload" href="/api/plans" as="fetch" crossorigin="anonymous" />', '')
      .replace(
        'data-before-paint',
        () => `data-app="${app}" data-parts="${js.filter((file) => file !== app).join(' ')}"`,
      )
      .replace('</head>', () => `${head}</head>`)
      .replace(
        /<div id="root">.*?<\/div>/s,
        () =>
          `<div id="root">${prerendered}</div>${dataElement('catalogue', catalogue)}${withFaqs ? dataElement('faqs', faqs) : ''}`,
      ),
  };
};
