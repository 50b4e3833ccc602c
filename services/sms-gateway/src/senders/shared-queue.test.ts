import { setTimeout as delay } from 'node:timers/promises';
import { createQueues } from '@daylift/jobs/queues';
import { requiredUrl, uniquePrefix } from '@daylift/testing/servers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { adminCalls } from '../../test/admin-calls.ts';
import { aDispatch, aSubscriber, release } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import type { SmsDeps } from '../deps.ts';
import { hasQueuedTexts } from '../queue/queue.repository.ts';
import { refillQueue } from '../queue/refill-queue.ts';
import { runSendJobs } from '../queue/send-jobs.ts';
import { createSenderLines } from './sender-lines.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.close());

/** As the worker's loop. */
const refillMs = 200;
const perEvent = 50;
const senders = [
  { number: '+18885557101', per_second: 4, texts: 28 },
  { number: '+18885557102', per_second: 10, texts: 60 },
  { number: '+18885557103', per_second: 25, texts: 75 },
];

async function dispatchesOf({ number, texts }: (typeof senders)[number]) {
  const recipients = await Promise.all(Array.from({ length: texts }, () => aSubscriber(harness)));
  const ids = recipients.map(({ user_id }) => user_id);
  await harness.db
    .updateTable('recipients')
    .set({ sender: number })
    .where('user_id', 'in', ids)
    .execute();
  return recipients.map((recipient) => aDispatch(recipient, harness));
}

const addSender = ({ texts: _, ...sender }: (typeof senders)[number]) =>
  adminCalls(harness).post('/admin/senders', { ...sender, type: 'toll_free', country: 'US' });

/** Runs a worker until no text is queued. Returns how many texts were enqueued. */
async function emptyQueue(deps: SmsDeps): Promise<number> {
  const queue = {
    redisUrl: requiredUrl('TEST_REDIS_URL'),
    name: `${uniquePrefix()}texts`,
    onError: () => undefined,
  };
  const queues = createQueues(queue);
  const workers = runSendJobs(deps, queue);
  let enqueued = 0;
  do {
    enqueued += await refillQueue({ ...deps, queues }).catch(() => 0);
    await delay(refillMs);
  } while (await hasQueuedTexts(deps.db));
  await workers.close();
  await queues.close();
  return enqueued;
}

it('in one queue, the texts of each of three full senders leave at its own rate', async () => {
  for (const sender of senders) await addSender(sender);
  const dispatches = (await Promise.all(senders.map(dispatchesOf))).flat();
  // By id, which mixes the senders.
  dispatches.sort((one, other) => one.dispatch_id.localeCompare(other.dispatch_id));
  for (let first = 0; first < dispatches.length; first += perEvent)
    await release(harness, dispatches.slice(first, first + perEvent));
  await emptyQueue(harness.deps);
  const sent = await harness.sandbox.texts();
  expect(sent).toHaveLength(dispatches.length);
  const seconds = senders.map(({ number }) => {
    const at = sent
      .filter(({ from }) => from === number)
      .map((text) => Date.parse(text.accepted_wall_at));
    return (Math.max(...at) - Math.min(...at)) / 1_000;
  });
  for (const [index, { number, texts, per_second }] of senders.entries()) {
    // The first second's texts leave immediately. A busy machine slows all of them, but the fastest sender's texts would
    // take as long as the slowest one's if they waited behind them.
    const least = texts / per_second - 1;
    expect(seconds[index], `${number} of ${seconds}`).toBeGreaterThanOrEqual(least);
    expect(seconds[index], `${number} of ${seconds}`).toBeLessThan(least * 1.3 + 1);
  }
}, 60_000);

it("a text that waits a long time in a line isn't enqueued again", async () => {
  const slow = { number: '+18885557101', per_second: 4, texts: 16 };
  await addSender(slow);
  const dispatches = await dispatchesOf(slow);
  await release(harness, dispatches);
  const enqueued = await emptyQueue({ ...harness.deps, senderLines: createSenderLines(200) });
  expect(enqueued).toBe(dispatches.length);
}, 60_000);
