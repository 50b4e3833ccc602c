import { measureHandOver } from './due.ts';
import { type DueStack, withDueStack } from './due-stack.ts';
import type { Figure } from './figure.ts';

const FEW = 10_000;

/** Measures the same hour among few and among very many subscribers: the release, then all texts sent. */
export async function measureGrowth({
  texts = 5_000,
  subscribers = 3_000_000,
}: {
  texts?: number;
  subscribers?: number;
}): Promise<Figure[]> {
  const few = await measureHour(texts, FEW);
  const many = await measureHour(texts, subscribers);
  const figure = (what: string, measured: number, baseline: number): Figure => ({
    what: `${what} ${texts} texts among ${subscribers} subscribers (baseline: among ${FEW})`,
    ours: `${measured.toFixed(1)} s`,
    baseline: `${baseline.toFixed(1)} s`,
    ratio: measured / baseline,
    better: 'lower',
    target: 'ratio 1.2',
  });
  return [
    figure('seconds to queue', many.queuedSeconds, few.queuedSeconds),
    figure('seconds to send', many.sentSeconds, few.sentSeconds),
  ];
}

function measureHour(texts: number, subscribers: number) {
  return withDueStack({ texts, subscribers }, async (due) => {
    const queuedSeconds = due.due / (await measureHandOver(due));
    return { queuedSeconds, sentSeconds: await measureThaw(due) };
  });
}

/** Ends the freeze and returns the seconds until every text has reached the provider. */
async function measureThaw({ product, stack, untilSent }: DueStack): Promise<number> {
  const admin = await product.adminLogin(stack.adminCredentials);
  const startedAt = performance.now();
  await product.api('POST', '/admin/freeze/lift', { missed: 'catch_up' }, admin);
  await untilSent();
  return (performance.now() - startedAt) / 1_000;
}
