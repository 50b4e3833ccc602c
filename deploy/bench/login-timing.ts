import { randomInt, randomUUID } from 'node:crypto';
import { startTestStack } from '../system-tests/stack-for-test.ts';
import type { Figure } from './figure.ts';

const samplesPerClass = 2_000;
/** Fewer than the failures after which a login has to wait. */
const triesPerLogin = 4;
const loginsPerClass = samplesPerClass / triesPerLogin;

interface Timed {
  known: number[];
  unknown: number[];
}

/** Whether the time of a response reveals that an account exists: 2,000 calls per class, in random order. */
export async function measureLoginTiming(): Promise<Figure[]> {
  const running = await startTestStack();
  try {
    const { product, stack } = running;
    const known: string[] = [];
    for (let index = 0; index < loginsPerClass; index += 1) {
      const email = `${randomUUID()}@example.com`;
      await product.signUp({
        name: 'Ada Morning',
        email,
        phone: `+1415556${String(index).padStart(4, '0')}`,
        password: 'good morning',
        timezone: 'America/New_York',
        delivery_time: '07:00',
        sms_consent: true,
      });
      known.push(email);
    }
    const unknown = Array.from({ length: loginsPerClass }, () => `${randomUUID()}@example.com`);
    await product.settle();
    const post = async (path: string, body: object): Promise<number> => {
      const begun = performance.now();
      const response = await fetch(`${stack.urls.gateway}/api${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      await response.arrayBuffer();
      const ms = performance.now() - begun;
      if (response.status !== 401 && response.status !== 202)
        throw new Error(`${path} responded with ${response.status}`);
      return ms;
    };
    const login = await timeBoth({ known, unknown }, (email) =>
      post('/users/login', { login: email, password: 'a wrong one' }),
    );
    const code = await timeBoth({ known, unknown }, (email) =>
      post('/users/set-password', { email_or_phone: email, password: 'another one' }),
    );
    return [
      ...figuresOf('POST /users/login', login),
      ...figuresOf('POST /users/set-password', code),
    ];
  } finally {
    await running.stop();
  }
}

async function timeBoth(
  logins: { known: string[]; unknown: string[] },
  call: (email: string) => Promise<number>,
): Promise<Timed> {
  const queue = (['known', 'unknown'] as const).flatMap((kind) =>
    Array.from({ length: triesPerLogin }, () =>
      logins[kind].map((email) => ({ kind, email })),
    ).flat(),
  );
  for (let end = queue.length - 1; end > 0; end -= 1) {
    const other = randomInt(end + 1);
    [queue[end], queue[other]] = [
      queue[other] as (typeof queue)[0],
      queue[end] as (typeof queue)[0],
    ];
  }
  const times: Timed = { known: [], unknown: [] };
  for (const { kind, email } of queue) times[kind].push(await call(email));
  return times;
}

function figuresOf(path: string, { known, unknown }: Timed): Figure[] {
  const [ours, baseline] = [median(known), median(unknown)];
  const auc = areaUnderCurve(known, unknown);
  return [
    {
      what: `${path}, median for known against unknown accounts (differ by less than 5 ms)`,
      ours: `${ours.toFixed(2)} ms`,
      baseline: `${baseline.toFixed(2)} ms`,
      ratio: ours / baseline,
      better: 'lower',
    },
    {
      what: `${path}, classifier of known accounts by time against a coin (less than 0.55)`,
      ours: `AUC ${auc.toFixed(3)}`,
      baseline: 'AUC 0.500',
      ratio: auc / 0.5,
      better: 'lower',
    },
  ];
}

const median = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The chance that a random known account takes longer than a random unknown one, or the reverse if that is more. */
function areaUnderCurve(known: number[], unknown: number[]): number {
  const all = [
    ...known.map((ms) => ({ ms, known: true })),
    ...unknown.map((ms) => ({ ms, known: false })),
  ].toSorted((one, other) => one.ms - other.ms);
  const ranks = all.reduce((sum, one, index) => (one.known ? sum + index + 1 : sum), 0);
  const wins = ranks - (known.length * (known.length + 1)) / 2;
  const auc = wins / (known.length * unknown.length);
  return Math.max(auc, 1 - auc);
}
