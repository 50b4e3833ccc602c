import { spawn } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from './store.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sandbox-store-'));
});
afterEach(() => rm(dir, { recursive: true }));

const journal = () => join(dir, 'journal.jsonl');

it('restores everything when reopened, in insertion order', async () => {
  const store = await openStore(dir);
  const texts = store.collection<{ n: number }>('texts');
  for (let n = 0; n < 100; n += 1) texts.put(`t${n}`, { n });
  texts.put('t0', { n: 1000 });
  texts.delete('t1');
  await store.close();
  const reopened = await openStore(dir);
  const values = [...reopened.collection<{ n: number }>('texts').values()].map(({ n }) => n);
  expect(values).toEqual([1000, ...Array.from({ length: 98 }, (_, index) => index + 2)]);
  await reopened.close();
});

it('loses nothing flushed before a kill -9', async () => {
  const store = new URL('./store.ts', import.meta.url).href;
  const script = `
    const { openStore } = await import(${JSON.stringify(store)});
    const store = await openStore(${JSON.stringify(dir)});
    const texts = store.collection('texts');
    for (let n = 0; ; n += 1) { texts.put(String(n), { n }); await store.flush(); console.log(n); }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  let answered = -1;
  for await (const line of createInterface({ input: child.stdout })) {
    answered = Number(line);
    if (answered === 50) child.kill('SIGKILL');
  }
  expect(answered).toBeGreaterThanOrEqual(50);
  const reopened = await openStore(dir);
  expect(reopened.collection('texts').size).toBeGreaterThan(answered);
  await reopened.close();
});

it('acknowledges a change while others keep arriving', async () => {
  const store = await openStore(dir);
  const counts = store.collection<number>('counts');
  let isAcknowledged = false;
  const arriving = (async () => {
    for (let n = 0; !isAcknowledged; n += 1) {
      counts.put('latest', n);
      await nextTurn();
    }
  })();
  await store.flush();
  isAcknowledged = true;
  await arriving;
  await store.close();
});

it('keeps values put during a reset', async () => {
  const store = await openStore(dir);
  const texts = store.collection<number>('texts');
  texts.put('before', 1);
  const reset = store.reset();
  texts.put('after', 2);
  await reset;
  await store.close();
  const reopened = await openStore(dir);
  expect([...reopened.collection<number>('texts').values()]).toEqual([2]);
  await reopened.close();
});

it('drops a partial last line and continues after it', async () => {
  const store = await openStore(dir);
  store.collection('texts').put('whole', 1);
  await store.close();
  await appendFile(journal(), '["texts","torn",{"text":"half of');
  const reopened = await openStore(dir);
  expect([...reopened.collection('texts').values()]).toEqual([1]);
  reopened.collection('texts').put('next', 2);
  await reopened.close();
  const third = await openStore(dir);
  expect([...third.collection('texts').values()]).toEqual([1, 2]);
  await third.close();
});

it('rejects a journal damaged in the middle, and says what to do', async () => {
  await appendFile(journal(), '["texts","a",1]\nnonsense\n["texts","b",1]\n');
  await expect(openStore(dir)).rejects.toThrow(/line 2.*--fresh/);
});

it('compacts the journal to the current values when opened', async () => {
  const store = await openStore(dir);
  const counts = store.collection<number>('counts');
  for (let n = 0; n < 20_000; n += 1) counts.put(String(n % 10), n);
  await store.close();
  const reopened = await openStore(dir);
  expect([...reopened.collection<number>('counts').values()]).toEqual(
    Array.from({ length: 10 }, (_, index) => 19_990 + index),
  );
  reopened.collection<number>('counts').put('11', 1);
  await reopened.close();
  expect((await readFile(journal(), 'utf8')).trim().split('\n')).toHaveLength(11);
});

it('is empty after a reset, even when reopened', async () => {
  const store = await openStore(dir);
  store.collection('texts').put('a', 1);
  await store.reset();
  expect(store.collection('texts').size).toBe(0);
  await store.close();
  const reopened = await openStore(dir);
  expect(reopened.collection('texts').size).toBe(0);
  await reopened.close();
});
