import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { noFaults, openFaults } from './faults.ts';
import { openStore, type Store } from './store.ts';

let dir: string;
let store: Store;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sandbox-faults-'));
  store = await openStore(dir);
});
afterEach(async () => {
  await store.close();
  await rm(dir, { recursive: true });
});

it('dials stored by an earlier version stay set, and newer ones are off', () => {
  expect(openFaults(store).current).toEqual(noFaults());
  const { line_types: _, ...earlier } = noFaults();
  const stored = { ...earlier, stripe_down: true, webhook: { duplicate: 1 }, removed_since: 1 };
  store.collection('faults').put('current', stored);
  const { webhook, ...others } = noFaults();
  expect(openFaults(store).current).toEqual({
    ...others,
    stripe_down: true,
    webhook: { ...webhook, duplicate: 1 },
  });
});
