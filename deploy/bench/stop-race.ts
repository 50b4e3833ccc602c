import { setTimeout as delay } from 'node:timers/promises';
import { loadSecrets } from '../local/secrets.ts';
import { fillDatabase } from '../local/seed/fill-database.ts';
import { queryDatabase } from '../system-tests/query-database.ts';
import { startTestStack, type TestStack } from '../system-tests/stack-for-test.ts';
import type { Figure } from './figure.ts';

/** About 10,000 of them are eligible. */
const subscribers = 13_000;
const stopsPerRound = 4;
const roundMs = 100;
/** A text may still leave this long after its STOP was acknowledged. */
const graceMs = 1_000;
const words = 'Right now is a good time.';

/** Numbers reply STOP during a manual send to everyone. Counts texts that leave more than a second later. */
export async function measureStopRace(): Promise<Figure[]> {
  const running = await startTestStack({ CLOCK_START: '2027-04-05T15:20:00Z' });
  const { stack, product } = running;
  try {
    await fillDatabase({
      databaseAdminUrl: stack.databaseAdminUrl,
      secrets: loadSecrets(stack.layout.secrets, {}),
      size: { subscribers, texts: 0, due: 0 },
      now: await product.now(),
      print: () => undefined,
    });
    const owner = await product.adminLogin(stack.adminCredentials);
    const body = { title: 'Now', content: words, scheduled_date: '2027-04-05' };
    const path = '/admin/scheduled-messages';
    const message = await product.api<{ id: string }>('POST', path, body, owner);
    await product.settle();
    const sent = await product.api('POST', `${path}/${message.body.id}/send-now`, undefined, owner);
    if (sent.status >= 300) throw new Error(`the send was rejected: ${JSON.stringify(sent.body)}`);
    const stopped = await stopDuringSend(running);
    await product.settle();
    return compare(running, stopped);
  } finally {
    await running.stop();
  }
}

/** Replies STOP from numbers about to be texted, until the send is over. Returns when each was acknowledged. */
async function stopDuringSend({ stack, product }: TestStack): Promise<Map<string, number>> {
  const stopped = new Map<string, number>();
  // The next texts to be sent, so a STOP meets its text anywhere between the queue and the provider.
  const next = `select r.phone from sms_gateway.texts t join sms_gateway.recipients r using (user_id)
    where t.state = 'queued' and t.kind = 'daily' order by t.enqueued_at nulls last limit 100`;
  const open = `select count(*)::int as open from sms_gateway.texts where kind = 'daily' and settled_at is null`;
  let hasStarted = false;
  for (;;) {
    const [count] = await queryDatabase<{ open: number }>(stack, open);
    hasStarted ||= (count?.open ?? 0) > 0;
    if (hasStarted && count?.open === 0) return stopped;
    const phones = (await queryDatabase<{ phone: string }>(stack, next))
      .map(({ phone }) => phone)
      .filter((phone) => !stopped.has(phone))
      .toSorted(() => Math.random() - 0.5);
    await Promise.all(
      phones.slice(0, stopsPerRound).map(async (phone) => {
        stopped.set(phone, Number.POSITIVE_INFINITY);
        await product.reply(phone, 'STOP');
        stopped.set(phone, Date.now());
      }),
    );
    await delay(roundMs);
  }
}

async function compare({ product }: TestStack, stopped: Map<string, number>): Promise<Figure[]> {
  const texts = (await product.texts()).filter(({ text }) => text.includes(words));
  if (texts.length < 9_000 || stopped.size < 100)
    throw new Error(`too little happened: ${texts.length} texts, ${stopped.size} replies`);
  const toStopped = texts.filter(({ to }) => stopped.has(to));
  const late = toStopped.filter(
    ({ to, accepted_wall_at }) => Date.parse(accepted_wall_at) > stopped.get(to)! + graceMs,
  );
  return [
    {
      what: `texts more than a second after STOP, ${texts.length} texts, ${stopped.size} replies (baseline: texts to these numbers)`,
      ours: String(late.length),
      baseline: String(toStopped.length),
      ratio: late.length / Math.max(1, toStopped.length),
      better: 'lower',
    },
  ];
}
