import { afterEach, expect, test, vi } from 'vitest';
import { createBrowserStorage } from './browser-storage.ts';

const storageOf = (queued: Map<string, string>) => ({
  getItem: (key: string) => queued.get(key) ?? null,
  setItem: (key: string, value: string) => queued.set(key, value),
  removeItem: (key: string) => queued.delete(key),
});

afterEach(() => vi.unstubAllGlobals());

test("a tab value isn't stored on the device, and can be removed", () => {
  vi.stubGlobal('window', {
    sessionStorage: storageOf(new Map()),
    localStorage: storageOf(new Map()),
  });
  const draft = createBrowserStorage('tab', 'draft');
  draft.write({ name: 'Maya' });
  expect(draft.read()).toEqual({ name: 'Maya' });
  expect(createBrowserStorage('device', 'draft').read()).toBeNull();
  draft.remove();
  expect(draft.read()).toBeNull();
});

test('an invalid stored value is ignored', () => {
  vi.stubGlobal('window', { sessionStorage: storageOf(new Map([['draft', '{half']])) });
  expect(createBrowserStorage('tab', 'draft').read()).toBeNull();
});

test('storage errors are ignored', () => {
  vi.stubGlobal('window', {
    get localStorage() {
      throw new DOMException('denied', 'SecurityError');
    },
  });
  const draft = createBrowserStorage('device', 'draft');
  draft.write('anything');
  draft.remove();
  expect(draft.read()).toBeNull();
});
