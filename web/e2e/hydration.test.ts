import { expect, test } from 'vitest';
import { failedCall, type OpenOptions, phone, see, usePages } from './harness.ts';

const pages = usePages();

/** Pages that differ by visitor. */
const personal = [
  '/',
  '/signup?plan=yearly&ref=ABCD2345',
  '/login?next=%2Fdashboard%3Ftab%3Dplan',
  '/contact?subject=Hello',
];
const all = [
  ...personal,
  '/signup?plan=none#top',
  '/login?next=https%3A%2F%2Fexample.com',
  '/privacy?utm_source=mail',
  '/terms/',
  '/no-such-page?x=1',
];

const visitors: [string, string[], OpenOptions][] = [
  ['a visitor from Tokyo', all, { locale: 'ja-JP', timezoneId: 'Asia/Tokyo', colorScheme: 'dark' }],
  [
    'a visitor from Berlin on a phone',
    personal,
    { locale: 'de-DE', timezoneId: 'Europe/Berlin', viewport: phone, hasTouch: true },
  ],
  ['a returning visitor', personal, { stored: { 'mantine-color-scheme-value': 'dark' } }],
  ['someone whose session has ended', personal, { as: { token: 'a.token.before' } }],
];

test.each(visitors)(
  'each prerendered page becomes interactive unchanged for %s',
  async (_who, addresses, options) => {
    const page = await pages.open('/icon.svg', { ...options, expectComplaints: failedCall });
    const atFirst = await page.evaluate(() => ({ ...localStorage }));
    for (const address of addresses) {
      await page.evaluate((stored) => {
        sessionStorage.clear();
        localStorage.clear();
        Object.assign(localStorage, stored);
      }, atFirst);
      await page.goto(`${pages.product.urls.gateway}${address}`);
      // The login has left for the dashboard and come back. A click before that is lost.
      if (options.as && address.startsWith('/login')) await see(page, 'Your session has ended');
      const html = page.locator('html');
      const scheme = await html.getAttribute('data-mantine-color-scheme');
      const toggle = page.getByRole('button', { name: /^(Dark|Light) mode$/ }).first();
      await (options.hasTouch ? toggle.tap() : toggle.click());
      await expect.poll(() => html.getAttribute('data-mantine-color-scheme')).not.toBe(scheme);
    }
  },
);
