import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { inParallel } from '../run-simulation.ts';
import { type Act, advance, type Charge, leftOf, Person } from './oracle.ts';
import { owner, userOf } from './people.ts';
import { type Answer, type MoneyStack, newCard, origin, type Published } from './stack.ts';
import type { DayFault, Story, StoryAct } from './stories.ts';

const dayMs = 86_400_000;
const quarterMs = 15 * 60_000;
/** An act this close to a renewal or an attempt to charge could come before or after it. */
const calmSeconds = 10 * 60;
/** With lost webhooks, billing may learn of a renewal only at its next poll. */
const faultySeconds = 100 * 60;

interface Player {
  story: Story;
  person: Person;
  userId: string;
  referrerId: string | null;
  /** The provider's id. */
  customer: string;
  /** What happened, for the report of a divergence. */
  log: string[];
  divergence: string | null;
}

interface World {
  players: Player[];
}

interface Job {
  world: World;
  player: Player;
  /** Null for the signup. */
  act: StoryAct | null;
}

export interface Played {
  histories: number;
  /** Histories in which two events came too close together to know their order. */
  ambiguous: number;
  acts: Map<string, number>;
  kills: number;
  divergences: { story: Story; log: string[]; what: string }[];
  revenue: { oracle: number; billing: number; ledger: number };
}

const faultsOf: Record<DayFault, Record<string, unknown>> = {
  none: {},
  webhooks: { webhook: { duplicate: 0.2, reorder: 0.2, drop: 0.3 } },
  api: {
    error: { stripe: { rate: 0.01, status: 500 } },
    accept_then_error: { stripe: 0.01 },
    accept_then_drop: { stripe: 0.01 },
  },
  kill: {},
  all: {
    webhook: { duplicate: 0.2, reorder: 0.2, drop: 0.3 },
    error: { stripe: { rate: 0.01, status: 500 } },
    accept_then_error: { stripe: 0.01 },
    accept_then_drop: { stripe: 0.01 },
  },
};

/** The hour of a day's acts. It differs from day to day, so few coincide with the renewals of earlier ones. */
const stopsOf = (start: number, day: number): [number, number] => {
  const slot = (day * 37 + 5) % 96;
  const at = (one: number) => start + day * dayMs + one * quarterMs + 7 * 60_000;
  return slot < 48 ? [at(slot), at(slot + 48)] : [at(slot - 48), at(slot)];
};

interface Course {
  days: number;
  /** By day; none by default. */
  faults: DayFault[];
  /** Runs at each midnight. */
  onDay?: (midnight: Date) => Promise<void>;
}

/** Lays histories over the same days of one product, and compares each end with the oracle's. */
export async function play(
  stack: MoneyStack,
  worlds: Story[][],
  { days, faults, onDay }: Course,
): Promise<Played> {
  const start = Math.ceil(stack.now().getTime() / dayMs) * dayMs;
  const all: World[] = worlds.map((stories) => {
    const players: Player[] = [];
    for (const story of stories)
      players.push({
        ...{ story, userId: randomUUID(), customer: '', log: [], divergence: null },
        referrerId: players[0]?.userId ?? null,
        person: new Person(story.card, players[0]?.person ?? null),
      });
    return { players };
  });
  const acts = new Map<string, number>();
  let kills = 0;
  let isFaulty = false;

  async function playStop(day: number, half: 0 | 1, fault: DayFault): Promise<void> {
    const jobs = all.flatMap((world) =>
      world.players.flatMap((player, index): Job[] => {
        if (index !== half || world.players.some(({ divergence }) => divergence !== null))
          return [];
        const act = player.story.acts.find((one) => one.day === day);
        if (player.story.start === day) return [{ world, player, act: null }];
        return act === undefined || player.customer === '' ? [] : [{ world, player, act }];
      }),
    );
    const done: (() => Promise<void>)[] = [];
    const killing =
      (fault === 'kill' || fault === 'all') && jobs.length > 0 ? killSoon(stack) : null;
    await inParallel(jobs, 16, async ({ world, player, act }) => {
      const people = world.players.map(({ person }) => person);
      const now = secondsOf(stack.now());
      advance(people, now);
      const margin = isFaulty ? faultySeconds : calmSeconds;
      if (act !== null && people.some((one) => isNear(one, now, margin))) return;
      const finish = act === null ? await begin(stack, player) : await perform(stack, player, act);
      const name = act?.kind ?? 'signup';
      acts.set(name, (acts.get(name) ?? 0) + 1);
      if (finish !== null) done.push(() => finish(people));
    });
    if (killing !== null) kills += await killing;
    await stack.settle();
    for (const finish of done) await finish();
  }

  for (let day = 0; day < days; day += 1) {
    const fault = faults[day] ?? 'none';
    if (onDay !== undefined) {
      const midnight = new Date(start + day * dayMs);
      if (midnight > stack.now()) await stack.travel({ advance_to: midnight.toISOString() });
      await onDay(midnight);
    }
    await stack.faults(faultsOf[fault]);
    isFaulty = fault === 'webhooks' || fault === 'all' || fault === 'api';
    for (const half of [0, 1] as const) {
      const at = stopsOf(start, day)[half];
      // What a faulty day leaves behind is retried or polled for.
      const isCalm = fault === 'none' && (faults[day - 1] ?? 'none') === 'none';
      const travelling = stack.travel({
        advance_to: new Date(at).toISOString(),
        stop_every_hours: isCalm ? 12 : 1,
      });
      if (half === 0 && (fault === 'kill' || fault === 'all')) kills += await killSoon(stack);
      await travelling;
      await playStop(day, half, fault);
    }
  }
  await stack.faults({});
  // Two nightly comparisons.
  await stack.travel({ advance_hours: 54 });
  await compare(stack, all);
  return {
    histories: all.flatMap(({ players }) => players).length,
    ambiguous: all.filter(isAmbiguous).flatMap(({ players }) => players).length,
    acts,
    kills,
    divergences: all
      .filter((world) => !isAmbiguous(world))
      .flatMap(({ players }) => players)
      .flatMap(({ story, log, divergence }) =>
        divergence === null ? [] : [{ story, log, what: divergence }],
      ),
    revenue: await revenueOf(stack, all),
  };
}

const secondsOf = (date: Date): number => date.getTime() / 1000;
const isAmbiguous = ({ players }: World): boolean =>
  players.some(({ person }) => person.isAmbiguous);

async function killSoon(stack: MoneyStack): Promise<number> {
  await delay(Math.random() * 400);
  await stack.kill();
  return 1;
}

function isNear(person: Person, now: number, margin: number): boolean {
  return person.nextAt() - now < margin || now - person.lastAt < margin;
}

/** Applies an act to the oracle, once its time is known. */
type Finish = (people: Person[]) => Promise<void>;

async function begin(stack: MoneyStack, player: Player): Promise<Finish> {
  const { story, userId } = player;
  const registered = {
    user_id: userId,
    email: `${userId}@people.test`,
    name: 'Ada Morning',
    plan: story.plan,
    email_hash: `email-${userId}`,
    phone_hash: `phone-${userId}`,
    country: 'US',
    referrer_user_id: player.referrerId,
    timezone: 'UTC',
    registered_at: stack.now().toISOString(),
  };
  stack.signups.set(userId, registered);
  await stack.publish('accounts.user.registered', registered, 2);
  const bought = await buy(stack, player, story.plan, newCard(story.card));
  return async (people) => {
    if (bought.session === null) return diverge(player, `signup: ${JSON.stringify(bought.answer)}`);
    const at = await boughtAt(stack, player, bought.session);
    advance(people, at);
    player.person.signUp(story.plan, at);
    note(player, at, `signed up for ${story.plan} with a ${story.card} card`);
  };
}

async function buy(
  stack: MoneyStack,
  { userId }: Player,
  plan: string,
  card: string,
): Promise<{ session: string | null; answer: Answer }> {
  const request = { subscription_id: userId, plan, origin_url: origin };
  const answer = await stack.insist(userOf(userId), '/payments/create-checkout', request);
  if (answer.status !== 200) return { session: null, answer };
  const session = answer.body.session_id as string;
  await stack.sandbox.call(`/sandbox/checkout/${session}/complete`, { card });
  // Half of the browsers never return.
  if (Number.parseInt(userId[0] ?? '0', 16) < 8)
    await stack.insist(null, `/payments/status/${session}`);
  return { session, answer };
}

async function boughtAt(stack: MoneyStack, player: Player, session: string): Promise<number> {
  const { customer } = await stack.stripe<{ customer: string }>(`/v1/checkout/sessions/${session}`);
  player.customer = customer;
  return periodStart(stack, player);
}

interface ProviderSubscription {
  id: string;
  status: string;
  items: { data: { current_period_start: number }[] };
}

const subscriptionsOf = (stack: MoneyStack, { customer }: Player) =>
  stack.list<ProviderSubscription>(`/v1/subscriptions?customer=${customer}&status=all`);

/** The provider's time of the last purchase, which is an input of the oracle. */
async function periodStart(stack: MoneyStack, player: Player): Promise<number> {
  const [newest] = await subscriptionsOf(stack, player);
  return newest?.items.data[0]?.current_period_start ?? 0;
}

const pick = <T>(from: T[], share: number): T | undefined =>
  from[Math.min(from.length - 1, Math.floor(share * from.length))];

/** Translates an act of the story to one of the oracle, or null if it makes no sense now. */
function actOf(person: Person, { kind, share, card, plan }: StoryAct, now: number): Act | null {
  const days = 1 + Math.floor(share * 19);
  const open = person.charges.filter(({ dispute }) => dispute?.state === 'open');
  const waiting = person.charges.filter(
    ({ dispute }) => dispute?.state === 'open' || dispute?.state === 'inquiry',
  );
  const charge = pick(
    person.charges.filter((one) => leftOf(one) > 0),
    share,
  );
  switch (kind) {
    case 'refund': {
      if (charge === undefined) return null;
      const left = leftOf(charge);
      return { kind, charge, amount: share > 0.5 ? left : Math.ceil(left * share) };
    }
    case 'dispute':
    case 'inquiry':
      if (charge === undefined || charge.dispute !== null) return null;
      return { kind: 'dispute', charge, inquiry: kind === 'inquiry' };
    case 'win':
    case 'lose': {
      const decided = pick(kind === 'win' ? waiting : open, share);
      return decided === undefined
        ? null
        : { kind: 'decide', charge: decided, won: kind === 'win' };
    }
    case 'credit':
      return { kind, amount: Math.ceil(share * 600) };
    case 'free_days':
    case 'extend_trial':
      return isBilling(person) ? null : { kind, days };
    case 'free_access': {
      const end = Math.floor(now / 86_400) * 86_400 + (days + 1) * 86_400 - 1;
      return isBilling(person) ? null : { kind, until: end };
    }
    case 'new_card':
      return { kind, card };
    case 'resubscribe':
      return { kind, plan };
    default:
      return { kind };
  }
}

/** Whether a renewal waits for its charge. The provider would charge it during the free time. */
const isBilling = ({ subscription }: Person): boolean => (subscription?.draft ?? null) !== null;

async function perform(stack: MoneyStack, player: Player, story: StoryAct): Promise<Finish | null> {
  const { person } = player;
  const now = secondsOf(stack.now());
  const act = actOf(person, story, now);
  if (act === null) return null;
  // No one replies for a deleted account.
  if (person.isDeleted && ['stop', 'start', 'delete'].includes(act.kind)) return null;
  const isAllowed = person.allows(act, now);
  const outcome = await carryOut(stack, player, act, story.isTwice ? 2 : 1);
  return async (people) => {
    const words = `${describe(act)}: ${outcome.isDone ? 'done' : `refused (${outcome.why})`}`;
    const isPurchase = ['upgrade', 'switch', 'resubscribe'].includes(act.kind);
    const start = isPurchase && outcome.isDone ? await periodStart(stack, player) : 0;
    // A change that did nothing, such as a second upgrade, has no new period.
    const at = start >= now - 2 ? start : now;
    note(player, at, words);
    if (outcome.isDone !== isAllowed)
      return diverge(player, `${words}, but the oracle ${isAllowed ? 'allows' : 'refuses'} it`);
    if (!outcome.isDone) return;
    advance(people, at);
    person.apply(act, at);
    person.lastAt = at;
  };
}

interface Outcome {
  isDone: boolean;
  why: string;
}

async function carryOut(
  stack: MoneyStack,
  player: Player,
  act: Act,
  copies: number,
): Promise<Outcome> {
  const { userId, story } = player;
  const me = userOf(userId);
  const twice = async (send: () => Promise<Answer>): Promise<Outcome> => {
    const answers = await Promise.all(Array.from({ length: copies }, send));
    const isDone = answers.some(({ status }) => status < 300);
    const first = answers[0]!;
    const why = `${first.status} ${first.body.code ?? ''} ${first.body.detail ?? ''}`;
    if (answers.some(({ status }) => status < 300 !== isDone))
      return { isDone, why: `two answers: ${JSON.stringify(answers)}` };
    return { isDone, why };
  };
  const staff = (what: string, body: Record<string, unknown>) => {
    const request = { reason: 'They asked by phone', request_key: randomUUID(), ...body };
    return twice(() => stack.insist(owner(), `/admin/subscriptions/${userId}/${what}`, request));
  };
  const plan = (what: string, body: Record<string, unknown> = {}) =>
    twice(() => stack.insist(me, `/users/me/plan/${what}`, body));
  const done = { isDone: true, why: '' };
  switch (act.kind) {
    case 'upgrade':
      return plan('upgrade', { plan: player.person.subscription?.plan });
    case 'switch':
      return plan('switch', {
        plan: player.person.subscription?.plan === 'monthly' ? 'yearly' : 'monthly',
      });
    case 'cancel':
      return plan('cancel');
    case 'undo_cancel':
      return plan('undo-cancel');
    case 'pay':
      return plan('pay');
    case 'stop':
    case 'start': {
      const reply = { user_id: userId, at: stack.now().toISOString() };
      await (act.kind === 'stop'
        ? stack.publish('sms.recipient.opted_out', { ...reply, source: 'keyword' }, copies)
        : stack.publish('sms.recipient.opted_in', reply, copies));
      return done;
    }
    case 'delete':
      stack.signups.delete(userId);
      await stack.publish('accounts.user.deleted', { user_id: userId }, copies);
      return done;
    case 'new_card':
      return changeCard(stack, player, newCard(act.card));
    case 'resubscribe': {
      const bought = await buy(stack, player, act.plan, newCard('good'));
      const why = `${bought.answer.status} ${bought.answer.body.code ?? ''}`;
      return { isDone: bought.session !== null, why };
    }
    case 'refund': {
      const invoice_id = await invoiceOf(stack, player, act.charge);
      if (invoice_id === null) return { isDone: false, why: 'no such payment is refundable' };
      return staff('refund', { invoice_id, amount_cents: act.amount });
    }
    case 'credit':
      return staff('credit', { amount_cents: act.amount });
    case 'free_days':
      return staff('free-days', { days: act.days });
    case 'extend_trial':
      return staff('extend-trial', { days: act.days });
    case 'free_access':
      return staff('free-access', { until: new Date(act.until * 1000).toISOString().slice(0, 10) });
    case 'cancel_now':
      return staff('cancel', { when: 'now' });
    case 'cancel_at_period_end':
      return staff('cancel', { when: 'period_end' });
    case 'dispute': {
      const charge = await chargeOf(stack, player, act.charge);
      await stack.sandbox.call('/sandbox/disputes', { charge, inquiry: act.inquiry });
      return done;
    }
    case 'decide': {
      const charge = await chargeOf(stack, player, act.charge);
      const [dispute] = await stack.list<{ id: string }>(`/v1/disputes?charge=${charge}`);
      const lost = act.charge.dispute?.state === 'inquiry' ? 'warning_closed' : 'lost';
      const status = act.won && lost === 'lost' ? 'won' : lost;
      await stack.sandbox.call(`/sandbox/disputes/${dispute?.id}`, { status });
      return done;
    }
    default:
      throw new Error(`${story.plan}: ${JSON.stringify(act)}`);
  }
}

async function changeCard(stack: MoneyStack, { userId }: Player, number: string): Promise<Outcome> {
  const request = { origin_url: origin };
  const answer = await stack.insist(userOf(userId), '/users/me/plan/portal', request);
  if (answer.status !== 200) return { isDone: false, why: JSON.stringify(answer) };
  const status = await stack.saveCard(answer.body.url as string, number);
  return { isDone: status === 303, why: String(status) };
}

interface ProviderCharge {
  id: string;
  status: string;
  amount: number;
  amount_refunded: number;
  created: number;
}

async function providerCharges(stack: MoneyStack, { customer }: Player): Promise<ProviderCharge[]> {
  const charges = await stack.list<ProviderCharge>(`/v1/charges?customer=${customer}`);
  return charges.filter(({ status }) => status === 'succeeded').reverse();
}

async function chargeOf(stack: MoneyStack, player: Player, charge: Charge): Promise<string> {
  const charges = await providerCharges(stack, player);
  return charges[player.person.charges.indexOf(charge)]?.id ?? '';
}

async function invoiceOf(
  stack: MoneyStack,
  { userId }: Player,
  charge: Charge,
): Promise<string | null> {
  const path = `/admin/subscriptions/${userId}/options`;
  const { body } = await stack.insist(owner(), path);
  const refundable = (body.refundable ?? []) as {
    invoice_id: string;
    paid_at: string;
    paid_cents: number;
  }[];
  const found = refundable.find(
    ({ paid_at, paid_cents }) =>
      paid_cents === charge.amount && Math.abs(Date.parse(paid_at) / 1000 - charge.at) < 5,
  );
  return found?.invoice_id ?? null;
}

function describe(act: Act): string {
  const { kind, ...rest } = act;
  const charge = 'charge' in rest ? { charge: rest.charge.amount } : {};
  const details = JSON.stringify({ ...rest, ...charge });
  return details === '{}' ? kind : `${kind} ${details}`;
}

function note({ log, person }: Player, at: number, words: string): void {
  const { status, balance, hold } = person;
  const state = JSON.stringify({ status, balance, hold });
  log.push(`${new Date(at * 1000).toISOString()} ${words} (before: ${state})`);
}

function diverge(player: Player, what: string): void {
  player.divergence ??= what;
}

/** Compares the end of every history with the oracle. */
async function compare(stack: MoneyStack, worlds: World[]): Promise<void> {
  const now = secondsOf(stack.now());
  const published = await stack.published();
  for (const { players } of worlds)
    advance(
      players.map(({ person }) => person),
      now,
    );
  const players = worlds.flatMap((world) => world.players);
  await inParallel(players, 8, async (player) => {
    if (player.customer === '') return;
    const expected = expectedEnd(player, now);
    const found = await foundEnd(stack, player, published.get(player.userId));
    const [want, have] = [JSON.stringify(expected), JSON.stringify(found)];
    if (want !== have) diverge(player, `the oracle expects\n  ${want}, but found\n  ${have}`);
  });
}

function expectedEnd({ person }: Player, now: number) {
  const sub = person.subscription;
  const until = person.entitledUntil(now);
  const isLive = sub !== null && sub.status !== 'canceled';
  return {
    status: person.status,
    plan: sub?.plan,
    entitled: until > 0,
    entitled_until: until === 0 || until === Number.POSITIVE_INFINITY ? null : until,
    ends: isLive && sub.endsWithPeriod,
    period_end: isLive ? sub.end : null,
    live: isLive ? 1 : 0,
    charges: person.charges.map(({ amount, refunds }) => [
      amount,
      refunds.reduce((sum, one) => sum + one.amount, 0),
    ]),
    balance: person.isDeleted ? null : person.balance,
    credit: person.isDeleted ? null : Math.max(0, -person.balance),
    revenue: person.revenue,
  };
}

async function foundEnd(stack: MoneyStack, player: Player, state: Published | undefined) {
  const { userId, customer, person } = player;
  const subscriptions = await subscriptionsOf(stack, player);
  const charges = await providerCharges(stack, player);
  const [net] = await stack.query<{ cents: string }>(
    `select coalesce(sum(amount_paid_cents
        - coalesce((select sum(amount_cents) from refunds where refunds.payment_intent_id = invoices.payment_intent_id), 0)
        - coalesce((select sum(withdrawn_cents) from disputes where disputes.payment_intent_id = invoices.payment_intent_id), 0)), 0) as cents
     from invoices where user_id = $1`,
    [userId],
  );
  const view = person.isDeleted
    ? null
    : (await stack.insist(userOf(userId), '/users/me/plan')).body;
  const account = person.isDeleted
    ? null
    : await stack.stripe<{ balance: number }>(`/v1/customers/${customer}`);
  const seconds = (text: string | null | undefined) =>
    text == null ? null : Date.parse(text) / 1000;
  const isLive = state?.status !== 'canceled';
  return {
    status: state?.status ?? null,
    plan: state?.plan,
    entitled: state?.entitled ?? false,
    entitled_until: seconds(state?.entitled_until),
    ends: state?.cancel_at_period_end ?? false,
    period_end: isLive ? seconds(state?.current_period_end) : null,
    live: subscriptions.filter(({ status }) => status !== 'canceled').length,
    charges: charges.map(({ amount, amount_refunded }) => [amount, amount_refunded]),
    balance: account?.balance ?? null,
    credit: (view?.credit_cents as number | undefined) ?? null,
    revenue: Number(net?.cents),
  };
}

async function revenueOf(stack: MoneyStack, worlds: World[]): Promise<Played['revenue']> {
  const people = worlds.flatMap(({ players }) => players);
  return {
    oracle: people.reduce((sum, { person }) => sum + person.revenue, 0),
    ...(await stack.revenue()),
  };
}
