import { giftPrice } from './amounts.ts';
import type { Gift } from './gifts.ts';
import type { Act } from './oracle.ts';
import { leftOf } from './payments.ts';
import { userOf } from './people.ts';
import { diverge, faultySeconds, type Outcome, type Player, secondsOf } from './players.ts';
import type { ApiResponse, MoneyStack } from './stack.ts';
import type { StoryAct } from './stories.ts';

type GiftAct = Extract<Act, { gift: Gift }>;
export const isGiftAct = (act: Act): act is GiftAct => 'gift' in act;

export async function buyGift(stack: MoneyStack, player: Player, months: number): Promise<Gift> {
  const { person, story } = player;
  const { metadata, amount_total, currency } = await stack.buyGift(months, story);
  const amount = giftPrice(person, months);
  if (amount_total !== amount || currency !== story.currency)
    diverge(player, `a gift was charged ${amount_total} ${currency} instead of ${amount}`);
  const payment = { at: secondsOf(stack.now()), amount, refunds: [], dispute: null };
  const gift = {
    ...payment,
    id: metadata.gift_id,
    months,
    used: null,
    isInPlan: false,
    taken: null,
  };
  person.gifts.push(gift);
  return gift;
}

/** Translates an act of the story to one of the oracle, or null if it isn't one of a gift or makes no sense now. */
export async function giftActOf(
  stack: MoneyStack,
  player: Player,
  { kind, share, isTwice }: StoryAct,
): Promise<GiftAct | null> {
  const { gifts, subscription } = player.person;
  const isBilling = (subscription?.draft ?? null) !== null;
  const oneOf = (some: Gift[]) => some.at(isTwice ? 0 : -1);
  switch (kind) {
    case 'gift':
    case 'keep_gift': {
      if (isBilling) return null;
      const gift = await buyGift(stack, player, share < 0.5 ? 1 : 3);
      return kind === 'gift' ? { kind: 'redeem', gift } : null;
    }
    case 'redeem': {
      const gift = oneOf(gifts.filter(({ used }) => used === null));
      return isBilling || gift === undefined ? null : { kind, gift };
    }
    case 'return_gift': {
      const gift = oneOf(gifts.filter((one) => one.dispute === null && leftOf(one) > 0));
      if (gift === undefined) return null;
      if (share < 0.6) return { kind: 'dispute_gift', gift };
      const left = leftOf(gift);
      return { kind: 'refund_gift', gift, amount: share < 0.8 ? left : Math.ceil(left / 3) };
    }
    case 'decide_gift': {
      const gift = oneOf(gifts.filter(({ dispute }) => dispute?.state === 'open'));
      return isBilling || gift === undefined ? null : { kind, gift, won: share < 0.5 };
    }
    default:
      return null;
  }
}

export async function carryOutGift(
  stack: MoneyStack,
  { userId }: Player,
  act: GiftAct,
  sendTwice: (send: () => Promise<ApiResponse>) => Promise<Outcome>,
): Promise<Outcome> {
  const payment = stack.paymentOfGift(act.gift.id);
  const chargeOf = async () =>
    (await stack.stripe<{ latest_charge: string }>(`/v1/payment_intents/${payment}`)).latest_charge;
  const done = { isDone: true, why: '' };
  switch (act.kind) {
    case 'redeem': {
      const gift_code = await stack.codeOfGift(act.gift.id);
      const why = 'no email with the gift arrived';
      if (gift_code === null) return { isDone: false, isLate: stack.isFaulty(), why };
      const request = { gift_code, subscription_id: userId };
      return sendTwice(() => stack.callReliably(userOf(userId), '/gifts/redeem', request));
    }
    case 'refund_gift':
      await stack.refund(payment, act.amount);
      return done;
    case 'dispute_gift':
      await stack.sandbox.call('/sandbox/disputes', { charge: await chargeOf() });
      return done;
    case 'decide_gift': {
      const [dispute] = await stack.list<{ id: string }>(`/v1/disputes?charge=${await chargeOf()}`);
      const status = act.won ? 'won' : 'lost';
      await stack.sandbox.call(`/sandbox/disputes/${dispute?.id}`, { status });
      return done;
    }
  }
}

/**
 * Returns when billing redeemed a gift or learned of its dispute, which is an input of the oracle: free time starts or
 * ends then. It's the instant that the stored times are computed from, or the act's if none is.
 */
export async function learnedAt(
  stack: MoneyStack,
  { person }: Player,
  { id, used }: Gift,
  now: number,
  isFaulty: boolean,
): Promise<number> {
  const { from, until, taken } = await stack.giftRow(id);
  const latest = now + (isFaulty ? faultySeconds : 120);
  const end = used?.until ?? 0;
  const computed = [
    from ?? 0,
    Math.min(end, person.freeUntil ?? 0) - (taken ?? 0),
    (until ?? 0) - 7 * 86_400,
    (until ?? 0) + end - (person.subscription?.end ?? 0),
  ];
  return computed.find((at) => at >= now - 2 && at <= latest) ?? now;
}
