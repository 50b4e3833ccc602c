import { inParallel } from '../run-simulation.ts';
import { refusalOf } from './gifts.ts';
import { advance } from './oracle.ts';
import { keptOf } from './payments.ts';
import { userOf } from './people.ts';
import {
  diverge,
  type Player,
  providerCharges,
  secondsOf,
  subscriptionsOf,
  type World,
} from './players.ts';
import type { MoneyStack, Published } from './stack.ts';

/** Compares the end of every history with the oracle. */
export async function compare(stack: MoneyStack, worlds: World[]): Promise<void> {
  const now = secondsOf(stack.now());
  const published = await stack.published();
  for (const { players } of worlds)
    advance(
      players.map(({ person }) => person),
      now,
    );
  const players = worlds.flatMap((world) => world.players);
  await inParallel(players, 8, async (player) => {
    if (!player.hasJoined) return;
    const expected = expectedEnd(player, now);
    const found = await foundEnd(stack, player, published.get(player.userId), now);
    const [want, have] = [JSON.stringify(expected), JSON.stringify(found)];
    if (want !== have) diverge(player, `the oracle expects\n  ${want}, but found\n  ${have}`);
  });
}

function expectedEnd({ person, story }: Player, now: number) {
  const sub = person.subscription;
  const until = person.entitledUntil(now);
  const isLive = sub !== null && sub.status !== 'canceled';
  return {
    status: person.status,
    plan: sub === null ? story.plan : sub.plan,
    entitled: until > 0,
    entitled_until: until === 0 || until === Number.POSITIVE_INFINITY ? null : until,
    ends: isLive && sub.endsWithPeriod,
    period_end: isLive ? sub.end : null,
    next_charge: person.isDeleted ? null : person.nextCharge(now),
    live: isLive ? 1 : 0,
    charges: person.charges.map(({ amount, refunds }) => [
      person.currency,
      amount,
      refunds.reduce((sum, one) => sum + one.amount, 0),
    ]),
    balance: person.isDeleted || sub === null ? null : person.balance,
    // The provider has no balance before the first purchase.
    credit: person.isDeleted ? null : sub === null ? 0 : Math.max(0, -person.balance),
    revenue: person.revenue,
    gifts: person.gifts.map((gift) => ({
      ...{ refusal: refusalOf(gift), kept: keptOf(gift), taken: gift.taken },
      ...(gift.used ?? { from: null, until: null }),
    })),
  };
}

async function foundEnd(
  stack: MoneyStack,
  player: Player,
  state: Published | undefined,
  now: number,
) {
  const { userId, customer, person } = player;
  const subscriptions = await subscriptionsOf(stack, player);
  const charges = await providerCharges(stack, player);
  const view = person.isDeleted
    ? null
    : (await stack.callReliably(userOf(userId), '/users/me/plan')).body;
  const account =
    person.isDeleted || customer === ''
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
    next_charge: nextChargeIn(view, person.nextCharge(now)),
    live: subscriptions.filter(({ status }) => status !== 'canceled').length,
    charges: charges.map(({ currency, amount, amount_refunded }) => [
      currency,
      amount,
      amount_refunded,
    ]),
    balance: account?.balance ?? null,
    credit: (view?.credit_cents as number | undefined) ?? null,
    revenue: await keptIn(stack, 'user_id', userId),
    gifts: await Promise.all(person.gifts.map(({ id }) => foundGift(stack, id))),
  };
}

/** Returns what billing has kept of payments. */
async function keptIn(
  stack: MoneyStack,
  column: 'user_id' | 'payment_intent_id',
  id: string,
): Promise<number> {
  const [net] = await stack.query<{ cents: string }>(
    `select coalesce(sum(amount_paid_cents
        - coalesce((select sum(amount_cents) from refunds where refunds.payment_intent_id = invoices.payment_intent_id), 0)
        - coalesce((select sum(withdrawn_cents) from disputes where disputes.payment_intent_id = invoices.payment_intent_id), 0)), 0) as cents
     from invoices where ${column} = $1`,
    [id],
  );
  return Number(net?.cents);
}

async function foundGift(stack: MoneyStack, id: string) {
  const { from, until, taken } = await stack.giftRow(id);
  const code = await stack.codeOfGift(id);
  const { status, body } = await stack.callReliably(null, '/gifts/read', { gift_code: code });
  const kept = await keptIn(stack, 'payment_intent_id', stack.paymentOfGift(id));
  const refusal = status === 200 ? null : (body.code as string);
  return { refusal, kept, taken, from, until };
}

/** Returns the next charge that the subscriber sees, or null if the oracle doesn't compute it. */
function nextChargeIn(view: Record<string, unknown> | null, expected: [number, number] | null) {
  if (view === null || expected === null) return null;
  const shown = view.next_charge as { at: string; amount_cents: number } | null;
  return shown && [Date.parse(shown.at) / 1000, shown.amount_cents];
}
