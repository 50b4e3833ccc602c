import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type DueStack, withDueStack } from './due-stack.ts';
import type { Figure } from './figure.ts';
import { inParallel, percentile } from './http-load.ts';
import { createReceiptSender, type SentText } from './signed-receipts.ts';

const PER_SECOND = 500;
const PARALLEL = 100;

interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
  failed: number;
}

/**
 * Posts signed receipts of sent texts to the gateway, at full speed and at a fixed rate, compared with a server that
 * only reads the body.
 */
export function measureReceipts({ texts = 3_000 }: { texts?: number }): Promise<Figure[]> {
  return withDueStack({ texts }, async (due) => {
    await due.release();
    await due.untilSent();
    await due.product.settle();
    const { standIn, secrets } = due;
    const half = Math.floor(standIn.texts.length / 2);
    const sender = createReceiptSender({
      privateKey: secrets.telnyx_private_key,
      now: standIn.now,
    });
    const post = async (text: SentText) =>
      (await sender.post(text, 'message.finalized')).status === 200;
    const full = await atFullSpeed(standIn.texts.slice(0, half), post);
    const paced = await atRate(standIn.texts.slice(half), post);
    const bareServer = await measureBare(due, half);
    sender.close();
    return [
      {
        what: `signed receipts per second, ${PARALLEL} in parallel (baseline: a server that reads the body)`,
        ours: describe(full),
        baseline: describe(bareServer),
        ratio: full.perSecond / bareServer.perSecond,
        better: 'higher',
        target: '1,000/s',
      },
      {
        what: `99th percentile of the response at ${PER_SECOND} receipts per second (baseline: as above)`,
        ours: describe(paced),
        baseline: `p99 ${bareServer.p99.toFixed(1)} ms`,
        ratio: paced.p99 / bareServer.p99,
        better: 'lower',
        target: '250 ms',
      },
    ];
  });
}

const describe = ({ perSecond, p50, p99, failed }: Measured): string =>
  `${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms${failed > 0 ? `, ${failed} failed` : ''}`;

type Post = (text: SentText) => Promise<boolean>;

async function measure(
  texts: SentText[],
  run: (one: (index: number) => Promise<void>) => Promise<unknown>,
  post: Post,
): Promise<Measured> {
  const times: number[] = [];
  let failed = 0;
  const startedAt = performance.now();
  await run(async (index) => {
    const postedAt = performance.now();
    const isStored = await post(texts[index] as SentText).catch(() => false);
    if (!isStored) failed += 1;
    times.push(performance.now() - postedAt);
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    perSecond: (times.length - failed) / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    failed,
  };
}

const atFullSpeed = (texts: SentText[], post: Post): Promise<Measured> =>
  measure(texts, (one) => inParallel(texts.length, PARALLEL, one), post);

/** Posts on time, however many responses are outstanding. */
function atRate(texts: SentText[], post: Post): Promise<Measured> {
  const run = async (one: (index: number) => Promise<void>) => {
    const startedAt = performance.now();
    const posted: Promise<void>[] = [];
    for (let index = 0; index < texts.length; index += 1) {
      const waitMs = startedAt + (index * 1_000) / PER_SECOND - performance.now();
      if (waitMs > 0) await delay(waitMs);
      posted.push(one(index));
    }
    await Promise.all(posted);
  };
  return measure(texts, run, post);
}

async function measureBare({ standIn, secrets }: DueStack, count: number): Promise<Measured> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const webhook_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const sender = createReceiptSender({ privateKey: secrets.telnyx_private_key, now: standIn.now });
  const texts = standIn.texts.slice(0, count).map((text) => ({ ...text, webhook_url }));
  const measured = await atFullSpeed(
    texts,
    async (text) => (await sender.post(text, 'message.finalized')).status === 200,
  );
  sender.close();
  await new Promise((resolve) => server.close(resolve));
  return measured;
}
