import { loadSecrets } from '../local/secrets.ts';
import { startTestStack } from '../system-tests/stack-for-test.ts';
import type { Figure } from './figure.ts';

const people = 300;
const width = 20;
const sender = '+18885550123';

interface Logged {
  to: string;
  text: string;
  accepted_wall_at: string;
}

/**
 * Measures texts per second through the whole pipeline (a manual send to everyone: plan, outbox, queue, claim, mark,
 * provider, receipt), compared with bare calls to the same provider at the same concurrency.
 */
export async function measureSendPipeline(): Promise<Figure[]> {
  const { stack, product, stop } = await startTestStack({
    CLOCK_START: '2027-04-05T15:20:00Z',
    SMS_RATE_PER_SECOND: '1000',
    SMS_FROM: sender,
  });
  try {
    await inParallel(people, async (index) => {
      const id = await product.signUp({
        name: `Bench ${index}`,
        email: `bench-${index}@example.com`,
        phone: `+1415555${1000 + index}`,
        password: 'good morning',
        timezone: 'America/New_York',
        delivery_time: '22:00',
        sms_consent: true,
      });
      await product.pay(await product.openCheckout(id));
    });
    await product.settle();
    const admin = await product.adminLogin(stack.adminCredentials);
    const message = await product.api<{ id: string }>(
      'POST',
      '/admin/scheduled-messages',
      { title: 'Bench', content: 'Bench for {{first_name}}.', scheduled_date: '2027-04-05' },
      admin,
    );
    await product.settle();
    const pressed = Date.now();
    await product.api('POST', `/admin/scheduled-messages/${message.body.id}/send-now`, {}, admin);
    await product.settle();
    const log = (await product.sandbox<Logged[]>('GET', '/sandbox/messages')).body;
    const accepted = log
      .filter((text) => text.text.startsWith('Bench'))
      .map((text) => Date.parse(text.accepted_wall_at));
    const ours = (accepted.length / (Math.max(...accepted) - pressed)) * 1000;
    const baseline = await bareCalls(product.urls.sandbox, stack.layout.secrets);
    return [
      {
        what: `texts per second from the click to the provider, ${people} subscribers (baseline: bare provider calls)`,
        ours: ours.toFixed(0),
        baseline: baseline.toFixed(0),
        ratio: ours / baseline,
        better: 'higher',
      },
      {
        what: 'ms from the click to the first text (baseline: to the last one)',
        ours: String(Math.min(...accepted) - pressed),
        baseline: String(Math.max(...accepted) - pressed),
        ratio: (Math.min(...accepted) - pressed) / (Math.max(...accepted) - pressed),
        better: 'lower',
      },
    ];
  } finally {
    await stop();
  }
}

async function bareCalls(sandboxUrl: string, secretsPath: string): Promise<number> {
  const secrets = loadSecrets(secretsPath, {});
  const start = Date.now();
  await inParallel(people, async (index) => {
    const answer = await fetch(`${sandboxUrl}/v2/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secrets.telnyx_api_key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ from: sender, to: `+1415556${1000 + index}`, text: 'Bare call.' }),
    });
    if (!answer.ok) throw new Error(`the sandbox responded with ${answer.status}`);
  });
  return (people / (Date.now() - start)) * 1000;
}

async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let index = next; index < count; index = next) {
        next += 1;
        await work(index);
      }
    }),
  );
}
