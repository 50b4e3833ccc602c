import { randomUUID } from 'node:crypto';
import { minuteMs } from '@daylift/clock/durations';
import { startTestStack, type TestStack } from '../system-tests/stack-for-test.ts';
import type { Figure } from './figure.ts';

const addresses = 1_000;
const guesses = 100_000;
const signups = 5_000;
const codeRequests = 5_000;
const parallel = 40;
/** The defaults of sms-gateway. */
const caps = { perNumberDay: 5, perPrefixHour: 100, perHour: 1_000 };
const password = 'good morning';
const areas = ['212', '312', '415', '646', '718'];

/** 1,000 addresses guess a password, sign up and request codes, while one honest person needs both. */
export async function measureStrangers(): Promise<Figure[]> {
  const running = await startTestStack({ RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1,::1' });
  try {
    const victim = person('+12065550101');
    const { product } = running;
    await product.pay(await product.openCheckout(await product.signUp(victim)));
    await product.settle();
    return [...(await guessPasswords(running, victim)), ...(await pumpTexts(running, victim))];
  } finally {
    await running.stop();
  }
}

type Person = ReturnType<typeof person>;
const person = (phone: string) => ({
  name: 'Ada Morning',
  email: `${randomUUID()}@example.com`,
  phone,
  password,
  timezone: 'America/New_York',
  delivery_time: '07:00',
  sms_consent: true,
});

const addressOf = (index: number): string => {
  const number = index % addresses;
  return `198.18.${Math.floor(number / 250)}.${(number % 250) + 1}`;
};

/** 25 numbers of a prefix each, and one in ten in a country that isn't served. */
const numberOf = (index: number): string => {
  const group = Math.floor(index / 25);
  const line = 1_000 + (index % 25);
  if (index % 10 === 9) return `+234803${1_000_000 + index}`;
  return `+1${areas[group % areas.length]}${600 + Math.floor(group / areas.length)}${line}`;
};

async function post(
  { stack }: TestStack,
  path: string,
  body: object,
  from: string,
): Promise<number> {
  const response = await fetch(`${stack.urls.gateway}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Runs `count` calls, a few at a time. Returns how often each status came. */
async function repeat(
  count: number,
  call: (index: number) => Promise<number>,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let next = 0;
  const work = async () => {
    while (next < count) {
      const status = await call(next++);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return statuses;
}

const serverErrors = (statuses: Map<number, number>): number =>
  [...statuses].reduce((sum, [status, times]) => sum + (status >= 500 ? times : 0), 0);

async function guessPasswords(running: TestStack, victim: Person): Promise<Figure[]> {
  const { product } = running;
  // The owner's own client is known from an earlier sign-in.
  const own = '203.0.113.7';
  const signIn = () => post(running, '/users/login', { login: victim.email, password }, own);
  if ((await signIn()) !== 200) throw new Error('the owner could not sign in before');
  const statuses = await repeat(guesses, (index) =>
    post(
      running,
      '/users/login',
      { login: victim.email, password: `guess ${index}` },
      addressOf(index),
    ),
  );
  await product.settle();
  const compared = statuses.get(401) ?? 0;
  const during = await signIn();
  return [
    {
      what: `guesses compared with the password, of ${guesses} from ${addresses} addresses (at most 10)`,
      ours: `${compared}`,
      baseline: '10',
      ratio: compared / 10,
      better: 'lower',
    },
    count('server errors among the guesses (0)', serverErrors(statuses)),
    count('the owner is rejected at a client they know (0)', during === 200 ? 0 : 1),
  ];
}

async function pumpTexts(running: TestStack, victim: Person): Promise<Figure[]> {
  const { product } = running;
  const people = Array.from({ length: signups }, (_unused, index) => person(numberOf(index)));
  const signedUp = await repeat(signups, (index) =>
    post(running, '/subscriptions', people[index] as Person, addressOf(index)),
  );
  const codeStatuses = await repeat(codeRequests, (index) =>
    post(
      running,
      '/users/set-password',
      { email_or_phone: (people[index] as Person).phone, password: 'another one' },
      addressOf(index),
    ),
  );
  const honest = person('+12065550102');
  await product.pay(await product.openCheckout(await product.signUp(honest)));
  await post(
    running,
    '/users/set-password',
    { email_or_phone: victim.phone, password },
    '203.0.113.7',
  );
  await product.settle();
  const texts = await product.texts();
  const served = (phone: string, words: string) =>
    texts.some((text) => text.to === phone && text.text.includes(words));
  const toStrangers = texts.filter(({ to }) => to !== victim.phone && to !== honest.phone);
  const largest = (keyOf: (text: (typeof texts)[number]) => string): number => {
    const counts = new Map<string, number>();
    for (const text of toStrangers) counts.set(keyOf(text), (counts.get(keyOf(text)) ?? 0) + 1);
    return Math.max(0, ...counts.values());
  };
  const minuteOf = ({ accepted_at }: { accepted_at: string }) =>
    Math.floor(Date.parse(accepted_at) / minuteMs);
  return [
    {
      what: `signups accepted, of ${signups}, a tenth of them from countries that are not served`,
      ours: `${signedUp.get(201) ?? 0}`,
      baseline: `${signups * 0.9}`,
      ratio: (signedUp.get(201) ?? 0) / (signups * 0.9),
      better: 'higher',
    },
    {
      what: 'code requests accepted',
      ours: `${codeStatuses.get(202) ?? 0}`,
      baseline: `${codeRequests}`,
      ratio: (codeStatuses.get(202) ?? 0) / codeRequests,
      better: 'higher',
    },
    capped(
      `texts to strangers after ${signups} signups and ${codeRequests} code requests`,
      toStrangers.length,
      caps.perHour,
    ),
    capped(
      'texts to one prefix',
      largest(({ to }) => to.slice(0, -4)),
      caps.perPrefixHour,
    ),
    capped(
      'texts to one number',
      largest(({ to }) => to),
      caps.perNumberDay,
    ),
    capped(
      'texts to one number in a minute',
      largest((text) => `${text.to} ${minuteOf(text)}`),
      1,
    ),
    count(
      'texts to countries that are not served (0)',
      texts.filter(({ to }) => to.startsWith('+234')).length,
    ),
    count(
      'server errors among signups and code requests (0)',
      serverErrors(signedUp) + serverErrors(codeStatuses),
    ),
    count('an honest signup gets no welcome (0)', served(honest.phone, 'Welcome') ? 0 : 1),
    count('a subscriber gets no code (0)', served(victim.phone, 'is your code') ? 0 : 1),
  ];
}

const capped = (what: string, value: number, cap: number): Figure => ({
  what: `${what} (at most ${cap})`,
  ours: `${value}`,
  baseline: `${cap}`,
  ratio: value / cap,
  better: 'lower',
});

const count = (what: string, value: number): Figure => ({
  what,
  ours: `${value}`,
  baseline: '0',
  ratio: value,
  better: 'lower',
});
