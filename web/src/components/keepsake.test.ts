import { afterEach, expect, test, vi } from 'vitest';
import { createKeepsake } from './keepsake.ts';

const storageOf = (held: Map<string, string>) => ({
  getItem: (key: string) => held.get(key) ?? null,
  setItem: (key: string, value: string) => held.set(key, value),
  removeItem: (key: string) => held.delete(key),
});

afterEach(() => vi.unstubAllGlobals());

test('what is kept for the tab is not kept on the device, and is gone once forgotten', () => {
  vi.stubGlobal('window', {
    sessionStorage: storageOf(new Map()),
    localStorage: storageOf(new Map()),
  });
  const draft = createKeepsake('tab', 'draft');
  draft.keep({ name: 'Maya' });
  expect(draft.read()).toEqual({ name: 'Maya' });
  expect(createKeepsake('device', 'draft').read()).toBeNull();
  draft.forget();
  expect(draft.read()).toBeNull();
});

test('what somebody else wrote there is nothing', () => {
  vi.stubGlobal('window', { sessionStorage: storageOf(new Map([['draft', '{half']])) });
  expect(createKeepsake('tab', 'draft').read()).toBeNull();
});

test('a browser that refuses its storage keeps nothing, and nothing fails', () => {
  vi.stubGlobal('window', {
    get localStorage() {
      throw new DOMException('denied', 'SecurityError');
    },
  });
  const draft = createKeepsake('device', 'draft');
  draft.keep('anything');
  draft.forget();
  expect(draft.read()).toBeNull();
});
