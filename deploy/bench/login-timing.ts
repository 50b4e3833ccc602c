import { randomInt, randomUUID } from 'node:crypto';
import { defaultMemory } from '../../services/accounts/src/sessions/password-hashing.ts';
import { startTestStack } from '../system-tests/stack-for-test.ts';
import type { Figure } from './figure.ts';

const samplesPerClass = 2_000;
/** Below the number of failures that locks a login. */
const triesPerLogin = 4;
const loginsPerClass = samplesPerClass / triesPerLogin;

/** Number of accounts with the email. */
const claimsOf = { unknown: 0, 'one claim': 1, 'several claims': 3 };
type Kind = keyof typeof claimsOf;
const kinds = Object.keys(claimsOf) as Kind[];
type PerKind<T> = Record<Kind, T[]>;

/** Measures whether response times reveal who claims an email: 2,000 calls per class, in random order. */
export async function measureLoginTiming(): Promise<Figure[]> {
  const running = await startTestStack({ PASSWORD_HASH_MEMORY: String(defaultMemory) });
  try {
    const { product, stack } = running;
    const logins = emptyKinds<string>();
    let phones = 0;
    for (const kind of kinds)
      for (let index = 0; index < loginsPerClass; index += 1) {
        const email = `${randomUUID()}@example.com`;
        logins[kind].push(email);
        for (let claim = 0; claim < claimsOf[kind]; claim += 1)
          await product.signUp({
            name: 'Ada Morning',
            email,
            phone: `+1415556${String(phones++).padStart(4, '0')}`,
            password: 'good morning',
            timezone: 'America/New_York',
            delivery_time: '07:00',
            sms_consent: true,
          });
      }
    await product.settle();
    const post = async (path: string, body: object): Promise<number> => {
      const startedAt = performance.now();
      const response = await fetch(`${stack.urls.gateway}/api${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      await response.arrayBuffer();
      const ms = performance.now() - startedAt;
      if (![202, 400, 401].includes(response.status))
        throw new Error(`${path} responded with ${response.status}`);
      return ms;
    };
    const calls = {
      'sign-in': (email: string) => post('/users/login', { login: email, password: 'a wrong one' }),
      'request for a code': (email: string) =>
        post('/users/set-password', { email_or_phone: email, password: 'another one' }),
      'wrong code': (email: string) =>
        post('/users/set-password', {
          ...{ email_or_phone: email, password: 'another one', code: '000000' },
        }),
    };
    const figures: Figure[] = [];
    for (const [what, call] of Object.entries(calls))
      figures.push(...figuresOf(what, await timeAll(logins, call)));
    return figures;
  } finally {
    await running.stop();
  }
}

const emptyKinds = <T>(): PerKind<T> => ({ unknown: [], 'one claim': [], 'several claims': [] });

async function timeAll(
  logins: PerKind<string>,
  call: (email: string) => Promise<number>,
): Promise<PerKind<number>> {
  const queue = kinds.flatMap((kind) =>
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
  const times = emptyKinds<number>();
  for (const { kind, email } of queue) times[kind].push(await call(email));
  return times;
}

const pairs: [Kind, Kind][] = [
  ['one claim', 'unknown'],
  ['several claims', 'unknown'],
  ['several claims', 'one claim'],
];

const figuresOf = (call: string, times: PerKind<number>): Figure[] =>
  pairs.flatMap(([one, other]): Figure[] => {
    const [measured, baseline] = [median(times[one]), median(times[other])];
    const auc = areaUnderCurve(times[one], times[other]);
    return [
      {
        what: `${call}, median of ${one} and ${other} (must differ by less than 5 ms)`,
        ours: `${measured.toFixed(2)} ms`,
        baseline: `${baseline.toFixed(2)} ms`,
        ratio: measured / baseline,
        better: 'lower',
      },
      {
        what: `${call}, area under the curve of ${one} and ${other} by time (must be less than 0.55)`,
        ours: `AUC ${auc.toFixed(3)}`,
        baseline: 'AUC 0.500',
        ratio: auc / 0.5,
        better: 'lower',
      },
    ];
  });

const median = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Returns the chance that a random sample of one class is slower than one of the other, or the reverse if higher. */
function areaUnderCurve(some: number[], others: number[]): number {
  const all = [
    ...some.map((ms) => ({ ms, isSome: true })),
    ...others.map((ms) => ({ ms, isSome: false })),
  ].toSorted((one, other) => one.ms - other.ms);
  const ranks = all.reduce((sum, one, index) => (one.isSome ? sum + index + 1 : sum), 0);
  const wins = ranks - (some.length * (some.length + 1)) / 2;
  const auc = wins / (some.length * others.length);
  return Math.max(auc, 1 - auc);
}
