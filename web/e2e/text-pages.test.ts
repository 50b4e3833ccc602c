import { describe, expect, test } from 'vitest';
import {
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  holdCalls,
  phone,
  press,
  see,
  usePages,
} from './harness.ts';

const pages = usePages();
const gateway = () => pages.product.urls.gateway;
const textOf = async (path: string) => (await fetch(`${gateway()}${path}`)).text();

describe('Text pages', () => {
  test('are accessible on a phone, and the terms show trial and prices from the catalogue', async () => {
    const page = await pages.open('/icon.svg', { viewport: phone });
    for (const [path, title] of [
      ['/privacy', 'Privacy Policy'],
      ['/terms', 'Terms of Service'],
    ] as const) {
      await page.goto(`${gateway()}${path}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      expect(await page.title()).toBe(`${title} · Daylift`);
      await see(page, 'Daylift is a service of Daylift Example, Inc.');
      await see(page, /Effective Tuesday, November 24, 2026$/);
      await expectNoSidewaysScroll(page);
      await expectNoBarriers(page);
    }
    for (const words of [
      'free trial of 3 days',
      'Monthly: $4.99 per month',
      'Yearly: $49.99 per year',
      'write to us within 14 days and we',
    ])
      await see(page, words);
  });

  test('an unknown URL says so, to people and crawlers', async () => {
    const page = await pages.open('/no-such-page', {
      viewport: phone,
      expectComplaints: failedCall,
    });
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    await page.getByRole('main').getByRole('link', { name: 'Back to Home' }).click();
    await page.getByRole('heading', { level: 1, name: /A kind word/ }).waitFor();
    const response = await fetch(`${gateway()}/no-such-page`, { headers: { accept: 'text/html' } });
    expect(response.status).toBe(404);
  });
});

describe('The contact page', () => {
  const fill = async (page: Awaited<ReturnType<typeof pages.open>>) => {
    await page.getByLabel('Name').fill('Grace Visitor');
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByLabel('Subject').fill('Before I sign up');
    await page.getByLabel('Message').fill('Do you send on Sundays?');
  };

  test('requires all fields and a valid email, keeps the input after a failure, even offline, and sends once', async () => {
    const page = await pages.open('/contact', { viewport: phone, expectComplaints: failedCall });
    await see(page, "you'll hear from us within 24 hours.");
    await page.getByRole('link', { name: 'support@daylift.example' }).waitFor();
    await press(page, 'Send Message');
    await expect.poll(() => page.getByText('Please fill in all required fields').count()).toBe(4);
    const isFocused = (name: string) => page.getByLabel(name).and(page.locator(':focus')).waitFor();
    await isFocused('Name');
    await expectNoBarriers(page);
    await fill(page);
    await page.getByLabel('Email').fill('grace at example');
    await press(page, 'Send Message');
    await see(page, 'Please enter a valid email address');
    await isFocused('Email');
    await fill(page);
    const restore = await failCalls(page, 'POST', '/contact');
    await press(page, 'Send Message');
    await see(page, "We couldn't send your message. Please try again.");
    expect(await page.getByText('internal words').count()).toBe(0);
    restore();
    await page.context().setOffline(true);
    await press(page, 'Send Message');
    await see(page, /You seem to be offline\./);
    await page.context().setOffline(false);
    expect(await page.getByLabel('Message').inputValue()).toBe('Do you send on Sundays?');
    const held = await holdCalls(page, 'POST', '/contact');
    await page.getByRole('button', { name: 'Send Message' }).dblclick();
    await expect.poll(() => held.count).toBe(1);
    held.release();
    await page.getByRole('heading', { name: 'Message Sent!' }).waitFor();
    expect(held.count).toBe(1);
    await expectNoSidewaysScroll(page);
    await pages.product.settle();
    const mails = await pages.product.sandbox<{ subject: string; text?: string }[]>(
      'GET',
      `/sandbox/emails?to=${encodeURIComponent('support@daylift.example')}`,
    );
    expect(mails.body.filter((mail) => mail.subject.includes('Before I sign up'))).toHaveLength(1);
    await press(page, 'Send Another Message');
    await isFocused('Name');
    expect(await page.getByLabel('Message').inputValue()).toBe('');
  });

  test('replays input from before its script loaded', async () => {
    const page = await pages.open('/privacy');
    const held = Promise.withResolvers<void>();
    await page.route(/\/assets\/index-.*\.js$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${gateway()}/contact`);
    await fill(page);
    await press(page, 'Send Message');
    held.resolve();
    await page.getByRole('heading', { name: 'Message Sent!' }).waitFor();
    expect(page.url()).toBe(`${gateway()}/contact`);
  });
});

describe('Metadata', () => {
  test('of each public page has a title, a description, a canonical URL and an image', async () => {
    const seen = new Set<string>();
    for (const path of ['/', '/signup', '/login', '/contact', '/privacy', '/terms']) {
      const html = await textOf(path);
      const title = /<title>([^<]+)<\/title>/.exec(html)?.[1] ?? '';
      const description =
        /<meta\s+name="description"\s+content="([^"]{40,170})"/.exec(html)?.[1] ?? '';
      expect(title, path).toContain('Daylift');
      expect(description, path).not.toBe('');
      seen.add(title).add(description);
      expect(html).toContain(`<link rel="canonical" href="${gateway()}${path}">`);
      expect(html).toContain(`<meta property="og:image" content="${gateway()}/social.png">`);
      expect(html).toContain('summary_large_image');
    }
    expect(seen.size).toBe(12);
  });

  test('names only files that exist, with the right type', async () => {
    for (const [path, type] of [
      ['/social.png', 'image/png'],
      ['/icon.svg', 'image/svg+xml'],
      ['/icon-192.png', 'image/png'],
      ['/icon-512.png', 'image/png'],
      ['/apple-touch-icon.png', 'image/png'],
      ['/site.webmanifest', 'application/manifest+json'],
      ['/robots.txt', 'text/plain'],
      ['/sitemap.xml', 'application/xml'],
    ] as const) {
      const response = await fetch(`${gateway()}${path}`);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('content-type')).toContain(type);
      expect(response.headers.get('cache-control')).toContain('max-age');
    }
  });

  test('lists the public pages in the sitemap, and no personal ones', async () => {
    const map = await textOf('/sitemap.xml');
    for (const path of ['/', '/signup', '/login', '/contact', '/privacy', '/terms'])
      expect(map).toContain(`<loc>${gateway()}${path}</loc>`);
    expect(map).not.toMatch(/dashboard|success|admin/);
    const robots = await textOf('/robots.txt');
    for (const path of ['/dashboard', '/success', '/admin']) expect(robots).toContain(path);
  });

  test('and prerendered pages contain no inline script', async () => {
    for (const path of ['/', '/signup?plan=yearly&ref=%3C/script%3E%3Cscript%3Ealert(1)', '/login'])
      for (const [tag] of (await textOf(path)).matchAll(/<script[^>]*>/g))
        expect(tag).toMatch(/ src="\/assets\/|type="application\/json"/);
  });
});
