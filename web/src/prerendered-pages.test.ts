import { expect, test } from 'vitest';
import { paths } from './paths.ts';
import { prerenderKey } from './prerendered-pages.ts';

const addresses = Object.values(paths).filter((path) => typeof path === 'string');

test.each(addresses)('%s is never prerendered as the not-found page', (address) => {
  const { pathname, search } = new URL(address, 'http://pages.test');
  expect(prerenderKey(pathname, search)).not.toBe('/404');
});

test('an unknown URL gets the not-found page', () => {
  expect(prerenderKey('/no-such-page', '')).toBe('/404');
});
