import { expect, test } from 'vitest';
import { drawnAddress } from './drawn-pages.ts';
import { paths } from './paths.ts';

const addresses = Object.values(paths).filter((path) => typeof path === 'string');

test.each(addresses)('%s is never drawn as the page that says that there is nothing', (address) => {
  const { pathname, search } = new URL(address, 'http://pages.test');
  expect(drawnAddress(pathname, search)).not.toBe('/404');
});

test('an address that no page has is drawn as that page', () => {
  expect(drawnAddress('/no-such-page', '')).toBe('/404');
});
