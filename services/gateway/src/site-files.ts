import type { Server } from '@daylift/server/create-server';
import type { PrerenderedPages } from './prerendered-pages.ts';

interface Options {
  publicUrl: string;
  productName: string;
  prerendered: PrerenderedPages;
}

const cacheForAnHour = 'public, max-age=3600';
const icons = [
  { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
  { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
];

/** Serves robots.txt, the sitemap and the web manifest, which depend on the configured name and URL. */
export function registerSiteFiles(
  app: Server,
  { publicUrl, productName, prerendered }: Options,
): void {
  app.get('/robots.txt', (_request, reply) =>
    reply
      .header('cache-control', cacheForAnHour)
      .type('text/plain; charset=utf-8')
      .send(
        [
          'User-agent: *',
          'Disallow: /api/',
          'Disallow: /admin',
          'Disallow: /dashboard',
          'Disallow: /success',
          'Disallow: /goodbye',
          'Disallow: /cancel-plan',
          'Disallow: /keep-price',
          'Disallow: /upgrade',
          '',
          `Sitemap: ${publicUrl}/sitemap.xml`,
          '',
        ].join('\n'),
      ),
  );
  app.get('/sitemap.xml', async (_request, reply) => {
    const places = (await prerendered.sitemapPaths()).map(
      (path) => `  <url><loc>${escapeXml(publicUrl + path)}</loc></url>`,
    );
    return reply
      .header('cache-control', cacheForAnHour)
      .type('application/xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${places.join('\n')}\n</urlset>\n`,
      );
  });
  app.get('/site.webmanifest', (_request, reply) =>
    reply
      .header('cache-control', cacheForAnHour)
      .type('application/manifest+json; charset=utf-8')
      .send(
        JSON.stringify({
          name: productName,
          short_name: productName,
          description: 'One short, kind text message at the hour you choose.',
          id: '/',
          start_url: '/dashboard',
          scope: '/',
          display: 'standalone',
          background_color: '#fffaf4',
          theme_color: '#e4f1fd',
          icons,
        }),
      ),
  );
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
