import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { inParallel } from '../run-simulation.ts';
import { owner, userOf } from './people.ts';
import { type ApiResponse, type MoneyStack, newCard, origin } from './stack.ts';

const standings = ['visitor', 'trial', 'active', 'past_due', 'canceling'] as const;
type Standing = (typeof standings)[number];
type Plan = 'monthly' | 'yearly';

interface Racer {
  userId: string;
  standing: Standing;
  customer: string;
  moves: Move[];
}

const moves = {
  visitor: ['buy', 'buy', 'buy_yearly', 'return', 'stop'],
  trial: ['upgrade', 'switch', 'cancel', 'undo', 'stop', 'start', 'cancel_now', 'extend', 'return'],
  active: ['switch', 'cancel', 'undo', 'stop', 'start', 'refund', 'credit', 'cancel_now', 'days'],
  past_due: ['pay', 'new_card', 'cancel', 'undo', 'stop', 'start', 'cancel_now', 'cancel_end'],
  canceling: ['undo', 'switch', 'stop', 'start', 'refund', 'cancel_now', 'days', 'buy', 'credit'],
} as const;
type Move = (typeof moves)[Standing][number];

const racer = fc.constantFrom(...standings).chain((standing) =>
  fc.record({
    standing: fc.constant(standing),
    moves: fc.array(fc.constantFrom<Move>(...moves[standing]), { minLength: 3, maxLength: 6 }),
  }),
);

const prices: Record<Plan, number> = { monthly: 499, yearly: 4999 };
const creditCents = 7;

/** Lets each of many people do several things at the same time. Returns what went wrong. */
export async function race(stack: MoneyStack, rounds: number, seed: number): Promise<string[]> {
  const racers: Racer[] = fc
    .sample(racer, { seed, numRuns: rounds })
    .map((one) => ({ ...one, userId: randomUUID(), customer: '' }));
  const payers = racers.filter(({ standing }) => standing !== 'visitor' && standing !== 'trial');
  await inParallel(payers, 16, (one) => prepare(stack, one));
  // The trials end, and the charges fail or succeed.
  await stack.travel({ advance_hours: 76 });
  const trials = racers.filter(({ standing }) => standing === 'trial');
  await inParallel(trials, 16, (one) => prepare(stack, one));
  const canceling = racers.filter(({ standing }) => standing === 'canceling');
  await inParallel(canceling, 16, async ({ userId }) => {
    await stack.callReliably(userOf(userId), '/users/me/plan/cancel', {});
  });
  await inParallel(
    racers.filter(({ standing }) => standing === 'visitor'),
    16,
    (one) => register(stack, one),
  );
  await stack.settle();
  await stack.faults({ webhook: { duplicate: 0.5, duplicate_copies: 2, reorder: 0.3 } });
  const startedAt = Math.floor(stack.now().getTime() / 1000);
  const wrong: string[] = [];
  const report = (racer: Racer, what: string) =>
    wrong.push(`${racer.standing} ${racer.userId}, ${racer.moves.join(' + ')}: ${what}`);
  const credits = new Map<Racer, number>();
  await inParallel(racers, 8, async (one) => {
    const responses = await Promise.all(one.moves.map((move) => make(stack, one, move)));
    for (const { status, body } of responses.flat())
      if (status === 0 || status >= 500) report(one, `${status} ${JSON.stringify(body)}`);
    const given = one.moves.filter((move) => move === 'credit').length;
    credits.set(one, given);
  });
  await stack.faults({});
  await stack.settle();
  await stack.travel({ advance_hours: 2 });
  const published = await stack.published();
  await inParallel(racers, 8, async (one) => {
    for (const what of await faultsOf(stack, one, startedAt, credits.get(one) ?? 0))
      report(one, what);
    const state = published.get(one.userId);
    const subscriptions = await subscriptionsOf(stack, one);
    const current = subscriptions.find(({ status }) => status !== 'canceled') ?? subscriptions[0];
    const found = [state?.plan, state?.cancel_at_period_end, state?.status !== 'canceled'];
    const isLive = current !== undefined && current.status !== 'canceled';
    const interval = current?.items.data[0]?.price.recurring.interval;
    const plan = interval && (interval === 'year' ? 'yearly' : 'monthly');
    const expected = [plan, isLive && current.cancel_at_period_end, isLive];
    if (current !== undefined && JSON.stringify(found) !== JSON.stringify(expected))
      report(one, `billing has ${JSON.stringify(found)}, Stripe ${JSON.stringify(expected)}`);
  });
  const { billing, ledger } = await stack.revenue();
  if (billing.usd !== ledger.usd) wrong.push(`revenue is ${billing.usd}, the ledger ${ledger.usd}`);
  return wrong;
}

async function register(stack: MoneyStack, { userId }: Racer): Promise<void> {
  const facts = {
    ...{ user_id: userId, email: `${userId}@people.test`, name: 'Ada Morning', plan: 'monthly' },
    ...{ email_hash: `email-${userId}`, phone_hash: `phone-${userId}`, country: 'US' },
    ...{ referrer_user_id: null, timezone: 'UTC', registered_at: stack.now().toISOString() },
  };
  stack.signups.set(userId, facts);
  await stack.publish('accounts.user.registered', facts);
}

async function prepare(stack: MoneyStack, one: Racer): Promise<void> {
  await register(stack, one);
  await buy(stack, one, 'monthly', newCard(one.standing === 'past_due' ? 'failing' : 'good'));
}

/** Opens the page in one tab and completes it, unless another tab already has. */
async function buy(
  stack: MoneyStack,
  one: Racer,
  plan: Plan,
  card = newCard('good'),
): Promise<ApiResponse[]> {
  const request = { subscription_id: one.userId, plan, origin_url: origin };
  const opened = await stack.call(userOf(one.userId), '/payments/create-checkout', request);
  if (opened.status !== 200) return [opened];
  const session = opened.body.session_id as string;
  await stack.sandbox.call(`/sandbox/checkout/${session}/complete`, { card }).catch(() => null);
  return [opened, await stack.call(null, `/payments/status/${session}`)];
}

async function make(stack: MoneyStack, one: Racer, move: Move): Promise<ApiResponse[]> {
  const { userId } = one;
  const me = userOf(userId);
  const plan = async (what: string, body = {}) => [
    await stack.call(me, `/users/me/plan/${what}`, body),
  ];
  const staff = async (what: string, body: object) => {
    const request = { reason: 'They asked by phone', request_key: randomUUID(), ...body };
    const path = `/admin/subscriptions/${userId}/${what}`;
    // A double click repeats the request with its key.
    return Promise.all([1, 2].map(() => stack.call(owner(), path, request)));
  };
  const reply = { user_id: userId, at: stack.now().toISOString() };
  switch (move) {
    case 'buy':
      return buy(stack, one, 'monthly');
    case 'buy_yearly':
      return buy(stack, one, 'yearly');
    case 'return':
      return [await stack.call(me, '/users/me/plan'), await stack.call(me, '/users/me/invoices')];
    case 'upgrade':
      return plan('upgrade', { plan: 'monthly' });
    case 'switch':
      return plan('switch', { plan: 'yearly' });
    case 'cancel':
      return plan('cancel');
    case 'undo':
      return plan('undo-cancel');
    case 'pay':
      return plan('pay');
    case 'stop':
      await stack.publish('sms.recipient.opted_out', { ...reply, source: 'keyword' }, 2);
      return [];
    case 'start':
      await stack.publish('sms.recipient.opted_in', reply, 2);
      return [];
    case 'cancel_now':
      return staff('cancel', { when: 'now' });
    case 'cancel_end':
      return staff('cancel', { when: 'period_end' });
    case 'extend':
      return staff('extend-trial', { days: 3 });
    case 'days':
      return staff('free-days', { days: 3 });
    case 'credit':
      return staff('credit', { amount_cents: creditCents });
    case 'refund': {
      const { body } = await stack.call(owner(), `/admin/subscriptions/${userId}/options`);
      const [paid] = (body.refundable ?? []) as { invoice_id: string; left_cents: number }[];
      if (paid === undefined) return [];
      return staff('refund', { invoice_id: paid.invoice_id, amount_cents: paid.left_cents });
    }
    case 'new_card': {
      const request = { origin_url: origin };
      const response = await stack.call(me, '/users/me/plan/portal', request);
      if (response.status === 200)
        await stack.saveCard(response.body.url as string, newCard('good'));
      return [response];
    }
  }
}

interface ProviderSubscription {
  id: string;
  status: string;
  cancel_at_period_end: boolean;
  items: { data: { price: { recurring: { interval: string } } }[] };
}

async function subscriptionsOf(stack: MoneyStack, one: Racer): Promise<ProviderSubscription[]> {
  const [row] = await stack.query<{ stripe_customer_id: string | null }>(
    'select stripe_customer_id from customers where user_id = $1',
    [one.userId],
  );
  one.customer = row?.stripe_customer_id ?? '';
  if (one.customer === '') return [];
  return stack.list(`/v1/subscriptions?customer=${one.customer}&status=all`);
}

interface ProviderInvoice {
  id: string;
  created: number;
  status: string;
  amount_paid: number;
  lines: { data: { amount: number }[] };
}

/** Returns what is wrong at the provider after the race. */
async function faultsOf(
  stack: MoneyStack,
  one: Racer,
  startedAt: number,
  credits: number,
): Promise<string[]> {
  const subscriptions = await subscriptionsOf(stack, one);
  if (one.customer === '') return [];
  const wrong: string[] = [];
  const live = subscriptions.filter(({ status }) => status !== 'canceled');
  if (live.length > 1) wrong.push(`${live.length} live subscriptions`);
  const invoices = await stack.list<ProviderInvoice>(`/v1/invoices?customer=${one.customer}`);
  const charges = await stack.list<{
    id: string;
    status: string;
    amount: number;
    amount_refunded: number;
    created: number;
  }>(`/v1/charges?customer=${one.customer}`);
  for (const [plan, price] of Object.entries(prices)) {
    const bought = invoices.filter(
      ({ status, amount_paid, created, lines }) =>
        created >= startedAt &&
        status === 'paid' &&
        amount_paid > 0 &&
        lines.data.some(({ amount }) => amount === price),
    );
    const refunded = charges.filter(
      (charge) =>
        charge.created >= startedAt && charge.amount === price && charge.amount_refunded === price,
    );
    if (bought.length - refunded.length > 1)
      wrong.push(`${plan} was bought ${bought.length} times`);
  }
  for (const { amount, amount_refunded } of charges)
    if (amount_refunded > amount) wrong.push(`${amount_refunded} of ${amount} were refunded`);
  const booked = await stack.list<{ id: string; type: string; amount: number }>(
    `/v1/customers/${one.customer}/balance_transactions`,
  );
  const given = booked.filter(({ type }) => type === 'adjustment');
  if (given.length !== credits) wrong.push(`${given.length} of ${credits} credits were booked`);
  return wrong;
}
