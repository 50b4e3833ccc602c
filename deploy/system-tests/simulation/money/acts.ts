import { randomUUID } from 'node:crypto';
import { buyGift, carryOutGift, giftActOf, isGiftAct, learnedAt } from './gift-acts.ts';
import { type Act, advance, type Person } from './oracle.ts';
import { leftOf } from './payments.ts';
import { owner, userOf } from './people.ts';
import {
  diverge,
  type Finish,
  faultySeconds,
  type Outcome,
  type Player,
  providerCharges,
  secondsOf,
  subscriptionsOf,
} from './players.ts';
import { type ApiResponse, codeIn, type MoneyStack, newCard, origin } from './stack.ts';
import { type PromotionCode, promotionCodes, type StoryAct } from './stories.ts';
import type { Charge } from './subscription.ts';

/** Signs up and pays. */
export async function begin(stack: MoneyStack, player: Player): Promise<Finish> {
  const { story, userId } = player;
  const registered = {
    user_id: userId,
    email: `${userId}@people.test`,
    name: 'Ada Morning',
    plan: story.plan,
    email_hash: `email-${userId}`,
    phone_hash: `phone-${userId}`,
    country: story.currency === 'gbp' ? 'GB' : 'US',
    referrer_user_id: player.referrerId,
    timezone: 'UTC',
    registered_at: stack.now().toISOString(),
  };
  stack.signups.set(userId, registered);
  await stack.publish('accounts.user.registered', registered, 2);
  const { code } = story;
  player.hasJoined = true;
  if (story.isGifted) return beginWithGift(stack, player);
  const bought = await buy(stack, player, story.plan, newCard(story.card), code);
  return async (people) => {
    if (bought.session === null)
      return diverge(player, `signup: ${JSON.stringify(bought.response)}`);
    const at = await periodStart(stack, player);
    advance(people, at);
    const terms = code === null ? null : promotionCodes[code];
    const isDiscount = terms !== null && 'months' in terms;
    const freeDays = terms !== null && 'freeDays' in terms ? terms.freeDays : 0;
    player.person.signUp(story.plan, at, isDiscount ? terms : null, freeDays);
    note(player, at, `signed up for ${story.plan} with a ${story.card} card and code ${code}`);
  };
}

/** Redeems a gift as a new signup, without a card. */
async function beginWithGift(stack: MoneyStack, player: Player): Promise<Finish> {
  const gift = await buyGift(stack, player, 1);
  const { userId: subscription_id, person } = player;
  const gift_code = await stack.codeOfGift(gift.id);
  if (gift_code === null) {
    player.hasJoined = false;
    return async () => undefined;
  }
  const response = await stack.callReliably(null, '/gifts/redeem', { gift_code, subscription_id });
  return async (people) => {
    if (response.status !== 200) return diverge(player, `redeem: ${JSON.stringify(response)}`);
    const { from } = await stack.giftRow(gift.id);
    advance(people, from ?? 0);
    person.apply({ kind: 'redeem', gift }, from ?? 0);
    note(player, from ?? 0, 'signed up with a gift');
  };
}

async function buy(
  stack: MoneyStack,
  player: Player,
  plan: string,
  card: string,
  code: PromotionCode | null,
): Promise<{ session: string | null; response: ApiResponse }> {
  const { userId, story } = player;
  const request = {
    ...{ subscription_id: userId, plan, origin_url: origin },
    ...(code !== null && { promotion_code: codeIn(story.currency, code) }),
  };
  const response = await stack.callReliably(userOf(userId), '/payments/create-checkout', request);
  if (response.status !== 200) return { session: null, response };
  const session = response.body.session_id as string;
  await stack.sandbox.call(`/sandbox/checkout/${session}/complete`, { card, place: story.place });
  // Half of the browsers never return.
  if (Number.parseInt(userId[0] ?? '0', 16) < 8)
    await stack.callReliably(null, `/payments/status/${session}`);
  const { customer } = await stack.stripe<{ customer: string }>(`/v1/checkout/sessions/${session}`);
  player.customer = customer;
  return { session, response };
}

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
    case 'gift':
    case 'keep_gift':
    case 'redeem':
    case 'return_gift':
    case 'decide_gift':
      return null;
    default:
      return { kind };
  }
}

/** Whether a renewal waits for its charge. The provider would charge it during the free time. */
const isBilling = ({ subscription }: Person): boolean => (subscription?.draft ?? null) !== null;

/** Returns null if the act makes no sense now. */
export async function perform(
  stack: MoneyStack,
  player: Player,
  story: StoryAct,
): Promise<Finish | null> {
  const { person } = player;
  const now = secondsOf(stack.now());
  const act = (await giftActOf(stack, player, story)) ?? actOf(person, story, now);
  if (act === null) return null;
  // No one replies for a deleted account.
  if (person.isDeleted && ['stop', 'start', 'delete'].includes(act.kind)) return null;
  const isAllowed = person.allows(act, now);
  const outcome = await carryOut(stack, player, act, story.isTwice ? 2 : 1);
  if (outcome.isLate) return null;
  const isFaulty = stack.isFaulty();
  const finish: Finish = async (people) => {
    const words = `${describe(act)}: ${outcome.isDone ? 'done' : `rejected (${outcome.why})`}`;
    const isPurchase = ['upgrade', 'switch', 'resubscribe'].includes(act.kind);
    const start = isPurchase && outcome.isDone ? await periodStart(stack, player) : 0;
    // A change that did nothing, such as a second upgrade, has no new period.
    const at = isGiftAct(act)
      ? await learnedAt(stack, player, act.gift, now, isFaulty)
      : start >= now - 2
        ? start
        : now;
    note(player, at, words);
    if (outcome.isDone !== isAllowed)
      return diverge(player, `${words}, but the oracle ${isAllowed ? 'allows' : 'rejects'} it`);
    if (!outcome.isDone) return;
    advance(people, at);
    person.apply(act, at);
    person.lastAt = at;
  };
  if (!isGiftAct(act) || act.kind === 'redeem') return finish;
  player.late = finish;
  return null;
}

async function carryOut(
  stack: MoneyStack,
  player: Player,
  act: Act,
  copies: number,
): Promise<Outcome> {
  const { userId, story } = player;
  const me = userOf(userId);
  const twice = async (send: () => Promise<ApiResponse>): Promise<Outcome> => {
    const responses = await Promise.all(Array.from({ length: copies }, send));
    const isDone = responses.some(({ status }) => status < 300);
    const first = responses[0]!;
    const why = `${first.status} ${first.body.code ?? ''} ${first.body.detail ?? ''}`;
    if (responses.some(({ status }) => status < 300 !== isDone))
      return { isDone, why: `two answers: ${JSON.stringify(responses)}` };
    return { isDone, why };
  };
  const staff = (what: string, body: Record<string, unknown>) => {
    const request = { reason: 'They asked by phone', request_key: randomUUID(), ...body };
    return twice(() =>
      stack.callReliably(owner(), `/admin/subscriptions/${userId}/${what}`, request),
    );
  };
  if (isGiftAct(act)) return carryOutGift(stack, player, act, twice);
  const plan = (what: string, body: Record<string, unknown> = {}) =>
    twice(() => stack.callReliably(me, `/users/me/plan/${what}`, body));
  const done = { isDone: true, why: '' };
  switch (act.kind) {
    case 'upgrade':
      return plan('upgrade', { plan: player.person.subscription?.plan ?? story.plan });
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
      const bought = await buy(stack, player, act.plan, newCard('good'), null);
      const why = `${bought.response.status} ${bought.response.body.code ?? ''}`;
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
  const response = await stack.callReliably(userOf(userId), '/users/me/plan/portal', request);
  if (response.status !== 200) return { isDone: false, why: JSON.stringify(response) };
  const status = await stack.saveCard(response.body.url as string, number);
  return { isDone: status === 303, why: String(status) };
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
  const { body } = await stack.callReliably(owner(), path);
  const refundable = (body.refundable ?? []) as {
    invoice_id: string;
    paid_at: string;
    paid_cents: number;
  }[];
  const distance = ({ paid_at }: { paid_at: string }) =>
    Math.abs(Date.parse(paid_at) / 1000 - charge.at);
  // With faults, a payment may succeed only at a later attempt.
  const margin = stack.isFaulty(charge.at * 1000) ? faultySeconds : 120;
  const [nearest] = refundable
    .filter((one) => one.paid_cents === charge.amount && distance(one) < margin)
    .toSorted((one, other) => distance(one) - distance(other));
  return nearest?.invoice_id ?? null;
}

function describe(act: Act): string {
  const { kind, ...rest } = act;
  const charge = 'charge' in rest ? { charge: rest.charge.amount } : {};
  const gift = 'gift' in rest ? { gift: rest.gift.id } : {};
  const details = JSON.stringify({ ...rest, ...charge, ...gift });
  return details === '{}' ? kind : `${kind} ${details}`;
}

function note({ log, person }: Player, at: number, words: string): void {
  const { status, balance, hold } = person;
  const state = JSON.stringify({ status, balance, hold });
  log.push(`${new Date(at * 1000).toISOString()} ${words} (before: ${state})`);
}
