import { expect, it } from 'vitest';
import { allowedOrigin } from './origin.ts';

const allowed = new Set(['https://good.com', 'http://localhost:8080']);

it.each(['https://good.com', 'https://good.com/', 'http://localhost:8080'])('accepts %s', (url) => {
  expect(allowedOrigin(allowed, url)).toBe(url.replace(/\/$/, ''));
});

it.each([
  'https://good.com.evil.io',
  'https://evil.io/https://good.com',
  'https://good.com@evil.io',
  'https://user:pw@good.com',
  'https://good.com/path',
  'https://good.com//',
  'https://good.com?next=evil',
  'https://good.com#x',
  'https://good.com\\@evil.io',
  ' https://good.com',
  'https://good.com:8443',
  'http://good.com',
  '//good.com',
  '//evil.io',
  'javascript:alert(1)',
  'null',
  'https://good.cоm',
])('rejects %s', (url) => {
  expect(allowedOrigin(allowed, url)).toBeNull();
});
