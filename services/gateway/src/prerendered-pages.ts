import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { PublicCatalogue } from '@daylift/contracts/billing.http';
import type { Faq } from '@daylift/contracts/content.http';

/** Prerendering API of the web app's build; see web/src/entry-server.tsx. */
interface PageRenderer {
  sitemapPaths: readonly string[];
  prerenderKey(path: string, search: string): string | null;
  renderPage(options: {
    address: string;
    catalogue: PublicCatalogue;
    /** Null if unavailable: the browser loads them. */
    faqs: Faq[] | null;
    template: string;
    manifest: unknown;
    publicUrl: string;
  }): Promise<{ status: number; html: string }>;
}

interface Build {
  version: number;
  renderer: PageRenderer;
  template: string;
  manifest: unknown;
}

export interface PrerenderedPage {
  status: number;
  bodies: Record<'br' | 'gzip' | 'identity', Buffer>;
}

export interface PrerenderedPages {
  /** Returns null if only the browser can render the page, or if the build or the catalogue is missing. */
  find(path: string, search: string): Promise<PrerenderedPage | null>;
  sitemapPaths(): Promise<readonly string[]>;
}

interface CachedPage {
  page: Promise<PrerenderedPage | null>;
  /** Null until rendered once. */
  latest: PrerenderedPage | null;
  freshUntil: number;
}

interface Options {
  dist: string;
  publicUrl: string;
  readCatalogue(): Promise<PublicCatalogue | null>;
  readFaqs(): Promise<Faq[] | null>;
  onFailure(error: unknown): void;
}

const freshMs = 30_000;
/** How long a page that can't be rendered isn't tried again. */
const failedMs = 5_000;
/** How long a visitor waits for a new page while an outdated one is available. */
const patienceMs = 300;
const compressed = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** Prerenders the public pages and caches them. They are few, and the same for every visitor. */
export function createPrerenderer(options: Options): PrerenderedPages {
  const readBuild = createBuildReader(options.dist);
  const cache = new Map<string, CachedPage>();

  const render = async (build: Build, address: string): Promise<PrerenderedPage | null> => {
    const [catalogue, faqs] = await Promise.all([
      options.readCatalogue(),
      options.readFaqs().catch((error: unknown) => {
        options.onFailure(error);
        return null;
      }),
    ]);
    if (catalogue === null) return null;
    const { renderer, template, manifest } = build;
    const { publicUrl } = options;
    const { status, html } = await renderer.renderPage({
      address,
      catalogue,
      faqs,
      template,
      manifest,
      publicUrl,
    });
    const [br, gz] = await Promise.all([compressed.br(html), compressed.gzip(html)]);
    return { status, bodies: { br, gzip: gz, identity: Buffer.from(html) } };
  };

  const renderOrReport = (build: Build, address: string) =>
    render(build, address).catch((error: unknown) => {
      options.onFailure(error);
      return null;
    });

  return {
    async sitemapPaths() {
      return (await readBuild())?.renderer.sitemapPaths ?? ['/'];
    },
    async find(path, search) {
      const build = await readBuild();
      const address = build?.renderer.prerenderKey(path, search) ?? null;
      if (build === null || address === null) return null;
      const key = `${build.version} ${address}`;
      const known = cache.get(key);
      if (known !== undefined && performance.now() < known.freshUntil) return known.page;
      // Without billing, an outdated page is better than one without prices. It counts as fresh during the attempt and
      // after a failure, because otherwise every visitor would wait for a billing that hangs.
      const latest = known?.latest ?? null;
      const rendered = renderOrReport(build, address);
      const page =
        latest === null
          ? rendered
          : Promise.race([
              rendered.then((fresh) => fresh ?? latest),
              delay(patienceMs, latest, { ref: false }),
            ]);
      const entry: CachedPage = { page, latest, freshUntil: performance.now() + freshMs };
      cache.set(key, entry);
      void rendered.then((fresh) => {
        if (fresh !== null) Object.assign(entry, { page: rendered, latest: fresh });
        else if (latest === null) entry.freshUntil = performance.now() + failedMs;
      });
      return page;
    },
  };
}

/** Returns a function that reads the build, again after a deployment. It returns null if the build can't prerender. */
function createBuildReader(dist: string): () => Promise<Build | null> {
  let current: Build | null = null;
  return async () => {
    const entry = join(dist, '.server', 'entry-server.js');
    const found = await stat(entry).catch(() => null);
    if (found === null) return null;
    if (current?.version === found.mtimeMs) return current;
    const [renderer, template, manifest] = await Promise.all([
      import(`${pathToFileURL(entry).href}?version=${found.mtimeMs}`) as Promise<PageRenderer>,
      readFile(join(dist, 'index.html'), 'utf8'),
      readFile(join(dist, '.vite', 'manifest.json'), 'utf8'),
    ]);
    current = { version: found.mtimeMs, renderer, template, manifest: JSON.parse(manifest) };
    return current;
  };
}
