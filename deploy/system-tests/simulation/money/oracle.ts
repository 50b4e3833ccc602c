/**
 * Computes what a subscriber must owe, have paid and be entitled to after what they, their bank, staff and time did.
 * Deliberately shares no code with billing or the sandbox. Times are Unix seconds, amounts cents.
 */

import { type Currency, type Discount, type Plan, prices, spend, withTax } from './amounts.ts';
import { type Gift, refusalOf, toMs, unusedOf } from './gifts.ts';
import { decide, dispute, disputed, keptOf, sumOf } from './payments.ts';
import {
  type Bill,
  type Charge,
  end,
  isReturned,
  monthsAfter,
  newBill,
  newSubscription,
  nextBoundary,
  otherPlan,
  postpone,
  priceOf,
  type Subscription,
  useDiscount,
} from './subscription.ts';

export type CardKind = 'good' | 'failing' | 'confirmed';

const hour = 3600;
const day = 86_400;
const trialDays = 3;
const draftSeconds = hour;
const retryAfterDays = [3, 5, 7];
const graceSeconds = 7 * day;
/** A plan chosen during free access is first charged when that ends, but not earlier than this. */
const minFree = 49 * hour;
const referralCredit: Record<Currency, number> = { usd: 125, gbp: 110 };
const referralSeconds = 30 * day;
/** The provider postpones a charge by two years at most. */
const maxFree = 731 * day;
/** A charge moves to an earlier date with this notice. */
const noticeSeconds = 7 * day;
/** How late billing may learn of something: the interval of its polling plus the longest step of the clock. */
const lateness = 100 * 60;

export type Act =
  | { kind: 'upgrade' | 'switch' | 'cancel' | 'undo_cancel' | 'pay' }
  | { kind: 'stop' | 'start' | 'delete' }
  | { kind: 'new_card'; card: CardKind }
  | { kind: 'resubscribe'; plan: Plan }
  | { kind: 'refund'; charge: Charge; amount: number }
  | { kind: 'credit'; amount: number }
  | { kind: 'free_days' | 'extend_trial'; days: number }
  | { kind: 'free_access'; until: number }
  | { kind: 'redeem'; gift: Gift }
  | { kind: 'refund_gift'; gift: Gift; amount: number }
  | { kind: 'dispute_gift'; gift: Gift }
  | { kind: 'decide_gift'; gift: Gift; won: boolean }
  | { kind: 'cancel_now' | 'cancel_at_period_end' }
  | { kind: 'dispute'; charge: Charge; inquiry: boolean }
  | { kind: 'decide'; charge: Charge; won: boolean };

const ofBank = ['dispute', 'decide', 'refund_gift', 'dispute_gift', 'decide_gift'];
const anytime = ['resubscribe', 'stop', 'start', 'delete'];

export class Person {
  subscription: Subscription | null = null;
  card: CardKind;
  balance = 0;
  freeUntil: number | null = null;
  /** Whether a STOP, and not a cancellation, ends the renewal. */
  isStopped = false;
  isDeleted = false;
  hasTried = false;
  /** Of someone who never had a plan. */
  access: 'expired' | 'canceled' | null = null;
  /** That others bought for this person. */
  gifts: Gift[] = [];
  charges: Charge[] = [];
  /** Two things happened so close together that their order is open. */
  isAmbiguous = false;
  /** When something happened last. */
  lastAt = Number.NEGATIVE_INFINITY;
  readonly currency: Currency;
  /** In percent. */
  readonly taxRate: number;
  readonly referrer: Person | null;
  readonly friends: Person[] = [];
  #rewarded: { charge: Charge; isBooked: boolean } | null = null;
  #settledAt = Number.NEGATIVE_INFINITY;

  constructor(
    { card, currency, taxRate }: Pick<Person, 'card' | 'currency' | 'taxRate'>,
    referrer: Person | null,
  ) {
    this.card = card;
    this.currency = currency;
    this.taxRate = taxRate;
    this.referrer = referrer;
    referrer?.friends.push(this);
  }

  /** Starts the trial of the first purchase, perhaps with the discount or the free days of a promotion code. */
  signUp(plan: Plan, at: number, discount: Discount | null, freeDays: number): void {
    const end = at + (trialDays + freeDays) * day;
    const months = discount?.months ?? null;
    this.hasTried = true;
    this.subscription = {
      ...newSubscription(plan, this.currency, at, end),
      status: 'trialing',
      anchor: end,
      discount,
      discountEnds:
        months === null || months === 1 ? Number.POSITIVE_INFINITY : monthsAfter(at, months),
    };
  }

  /** Returns the next instant at which time alone changes something. */
  nextAt(): number {
    const { subscription: sub } = this;
    if (sub === null || sub.status === 'canceled') return Number.POSITIVE_INFINITY;
    const retries = sub.open.map(({ retryAt }) => retryAt ?? Number.POSITIVE_INFINITY);
    return Math.min(sub.end, sub.draft?.finalizesAt ?? Number.POSITIVE_INFINITY, ...retries);
  }

  /** Applies what is due next. */
  step(): void {
    const at = this.nextAt();
    this.lastAt = at;
    const sub = this.subscription!;
    const retry = sub.open.find(({ retryAt }) => retryAt === at);
    if (sub.draft?.finalizesAt === at) {
      const bill = sub.draft;
      sub.draft = null;
      this.#settle(bill, at);
      if (bill.due > 0) {
        sub.open.push(bill);
        this.#collect(sub, bill, at);
      }
    } else if (retry !== undefined) this.#collect(sub, retry, at);
    else if (sub.endsWithPeriod) end(sub);
    else this.#renew(sub);
    this.#react(at);
  }

  /** Free access without a plan has ended. */
  expire(now: number): void {
    if (this.subscription === null && this.freeUntil !== null && this.freeUntil <= now)
      this.access = 'expired';
  }

  get hold(): 'lost' | 'disputed' | null {
    const own = this.charges.filter(({ of }) => of === this.subscription);
    const isLost = ({ dispute }: Charge) =>
      dispute?.state === 'lost' && !own.some(({ at }) => at > dispute.at);
    if (own.some(isLost)) return 'lost';
    return own.some(({ dispute }) => dispute?.state === 'open') ? 'disputed' : null;
  }

  /** As subscribers and staff see it. */
  get status(): 'trial' | 'active' | 'past_due' | 'canceled' | 'expired' | null {
    const { subscription: sub } = this;
    if (sub === null) return this.access;
    if (sub.status !== 'trialing') return sub.status;
    return sub.isFree ? 'active' : 'trial';
  }

  /** Returns when texts end: infinity without an end, 0 if there are none now. */
  entitledUntil(now: number): number {
    const until = Math.max(this.#planUntil(), this.freeUntil ?? 0);
    return until > now ? until : 0;
  }

  #planUntil(): number {
    const { subscription: sub } = this;
    if (sub === null || sub.status === 'canceled' || this.hold !== null) return 0;
    const planned = sub.endsWithPeriod ? sub.end : Number.POSITIVE_INFINITY;
    if (sub.status !== 'past_due') return planned;
    const failed = Math.min(...sub.open.map(({ finalizesAt }) => finalizesAt));
    return Math.min(planned, failed + graceSeconds);
  }

  get revenue(): number {
    return this.charges.reduce((sum, charge) => sum + keptOf(charge), 0);
  }

  get #isLive(): boolean {
    return this.subscription !== null && this.subscription.status !== 'canceled';
  }

  /** Whether the next charge can be postponed. */
  get #renews(): boolean {
    const { status } = this;
    return (
      this.#isLive &&
      !this.subscription!.endsWithPeriod &&
      this.hold === null &&
      (status === 'trial' || status === 'active')
    );
  }

  /** Returns when the plan renews and what that charges, or null if it doesn't renew or a bill is unpaid. */
  nextCharge(now: number): [number, number] | null {
    const { subscription: sub } = this;
    if (sub === null || !this.#renews || sub.draft !== null || sub.end <= now) return null;
    const total = this.#taxed(priceOf(sub, sub.plan, sub.end));
    return [sub.end, spend(total, this.balance, this.currency).due];
  }

  /** Returns whether the act is possible now. */
  allows(act: Act, now: number): boolean {
    const { subscription: sub, status, hold } = this;
    if (this.isDeleted) return ofBank.includes(act.kind);
    if (act.kind === 'refund')
      return (
        act.charge.dispute === null || ['inquiry', 'closed'].includes(act.charge.dispute.state)
      );
    if (sub === null || !this.#isLive) return this.#allowsWithoutPlan(act, now);
    switch (act.kind) {
      case 'upgrade':
        if (status === 'active') return true;
        if (status !== 'trial' || (this.freeUntil ?? 0) > now) return false;
        return hold === null && this.#canPay(this.#taxed(priceOf(sub, sub.plan, now)));
      case 'switch':
        if (hold !== null || status === 'past_due') return false;
        if (status === 'active' && sub.endsWithPeriod) return false;
        if (sub.status === 'trialing') return true;
        return sub.draft === null && this.#canPay(this.#switchTotal(now));
      case 'cancel':
        return !sub.endsWithPeriod || !this.isStopped || hold === null;
      case 'undo_cancel':
        return !sub.endsWithPeriod || hold === null;
      case 'pay':
        if (status === 'active') return true;
        return status === 'past_due' && hold === null && this.card === 'good';
      case 'resubscribe':
        return false;
      case 'free_days':
        if (status === 'past_due' || (status === 'trial' && this.#renews)) return false;
        return this.#renews || this.entitledUntil(now) > 0;
      case 'extend_trial':
        return status === 'trial' && this.#renews;
      case 'free_access':
        return status !== 'past_due' && act.until > this.#freeFrom(now);
      case 'redeem':
        return status !== 'past_due' && this.#allowsGift(act.gift, now);
      case 'cancel_at_period_end':
        return !sub.endsWithPeriod;
      default:
        return true;
    }
  }

  #allowsWithoutPlan(act: Act, now: number): boolean {
    switch (act.kind) {
      case 'free_days':
      case 'cancel_now':
        return this.entitledUntil(now) > 0;
      case 'free_access':
        return act.until > this.#freeFrom(now);
      case 'redeem':
        return this.#allowsGift(act.gift, now);
      case 'credit':
      case 'new_card':
        // The provider knows only who has bought.
        return this.subscription !== null;
      default:
        return 'gift' in act || 'charge' in act || anytime.includes(act.kind);
    }
  }

  #allowsGift(gift: Gift, now: number): boolean {
    const until = monthsAfter(this.#freeFrom(now), gift.months);
    return refusalOf(gift) === null && until <= now + maxFree;
  }

  /** Applies an act that was possible at that instant. */
  apply(act: Act, at: number): void {
    const sub = this.subscription!;
    switch (act.kind) {
      case 'upgrade':
        if (this.status === 'trial') this.#buy(sub, this.#taxed(priceOf(sub, sub.plan, at)), at);
        break;
      case 'switch': {
        const total = this.#switchTotal(at);
        sub.plan = otherPlan(sub.plan);
        if (sub.status === 'active') this.#buy(sub, total, at);
        break;
      }
      case 'cancel':
      case 'cancel_at_period_end':
        sub.endsWithPeriod = true;
        this.isStopped = false;
        break;
      case 'undo_cancel':
        sub.endsWithPeriod = false;
        this.isStopped = false;
        break;
      case 'stop':
        if (!this.#isLive || sub.endsWithPeriod) break;
        sub.endsWithPeriod = true;
        this.isStopped = true;
        break;
      case 'start':
        if (!this.#isLive || !this.isStopped) break;
        sub.endsWithPeriod = false;
        this.isStopped = false;
        break;
      case 'new_card':
        this.card = act.card;
        if (act.card === 'good' && this.status === 'past_due') this.#payOpen(sub, at);
        break;
      case 'pay':
        this.#payOpen(sub, at);
        break;
      case 'resubscribe': {
        this.card = 'good';
        this.isStopped = false;
        const next = newSubscription(act.plan, this.currency, at, at);
        this.subscription = next;
        const soonest = at + minFree;
        if (this.freeUntil !== null && this.freeUntil > soonest) {
          this.#moveAccessIntoPlan(next, this.freeUntil, 0);
        } else if (!this.hasTried) this.signUp(act.plan, at, null, 0);
        else if (this.freeUntil !== null && this.freeUntil > at) {
          postpone(next, Math.ceil(soonest / hour) * hour);
          this.freeUntil = null;
        } else this.#buy(next, this.#taxed(prices[this.currency][act.plan]), at);
        break;
      }
      case 'refund':
        act.charge.refunds.push({ at, amount: act.amount });
        this.#reconsider(at);
        break;
      case 'credit':
        this.balance -= act.amount;
        this.#noteBooking(at);
        break;
      case 'free_days':
      case 'extend_trial':
      case 'free_access': {
        const until =
          act.kind === 'free_access' ? act.until : toMs(this.#freeFrom(at) + act.days * day);
        if (this.#renews) postpone(sub, until);
        else this.freeUntil = Math.max(this.freeUntil ?? 0, until);
        if (sub === null) this.access ??= 'expired';
        break;
      }
      case 'redeem':
        this.#giveGift(act.gift, monthsAfter(this.#freeFrom(at), act.gift.months), at);
        break;
      case 'refund_gift':
        act.gift.refunds.push({ at, amount: act.amount });
        break;
      case 'dispute_gift':
        dispute(act.gift, false, at);
        this.#settleGift(act.gift, at);
        break;
      case 'decide_gift':
        decide(act.gift, act.won);
        this.#settleGift(act.gift, at);
        break;
      case 'cancel_now':
        this.#endAll(at);
        break;
      case 'delete':
        this.#endAll(at);
        this.isDeleted = true;
        break;
      case 'dispute':
        dispute(act.charge, act.inquiry, at);
        this.#reconsider(at);
        break;
      case 'decide':
        decide(act.charge, act.won);
        this.#reconsider(at);
    }
    this.#react(at);
  }

  #endAll(at: number): void {
    if (this.subscription !== null) end(this.subscription);
    else if (this.entitledUntil(at) > 0) this.access = 'canceled';
    this.freeUntil = null;
  }

  /** Returns when free time given now would start: after all other time. */
  #freeFrom(now: number): number {
    return Math.max(now, this.#renews ? this.subscription!.end : this.entitledUntil(now));
  }

  /** Makes texts free until then. */
  #giveGift(gift: Gift, until: number, at: number): void {
    gift.used = { from: this.#freeFrom(at), until };
    gift.taken = null;
    gift.isInPlan = false;
    if (this.#renews) {
      this.#moveAccessIntoPlan(this.subscription!, until);
      // No trial is left that an upgrade could end.
      this.subscription!.isFree = true;
    } else if (!this.isDeleted) {
      this.freeUntil = Math.max(this.freeUntil ?? 0, until);
      if (this.subscription === null) this.access ??= 'expired';
    }
  }

  /** Postpones the charge. Gifts that started earlier, while the plan was held, add nothing before it. */
  #moveAccessIntoPlan(sub: Subscription, until: number, charge = sub.end): void {
    for (const gift of this.gifts)
      if (gift.used !== null && gift.taken === null && !gift.isInPlan) {
        gift.used.from = Math.max(gift.used.from, Math.min(gift.used.until, charge));
        gift.isInPlan = true;
      }
    postpone(sub, until);
    this.freeUntil = null;
  }

  /** A dispute takes back what is unused of a gift, and its end returns that. A charge moves earlier only once it's lost. */
  #settleGift(gift: Gift, at: number): void {
    if (gift.used === null) return;
    const { dispute, used, isInPlan } = gift;
    if (dispute?.state === 'won' && gift.taken !== null)
      this.#giveGift(gift, toMs(this.#freeFrom(at) + gift.taken), at);
    if (dispute?.state === 'won' || gift.taken !== null) return;
    const { subscription: sub, freeUntil } = this;
    const isPlanFree = this.#isLive && sub!.status === 'trialing' && sub!.isFree;
    // A renewing plan is paid or free for longer than access given while it was held.
    if (isInPlan ? !isPlanFree : this.#renews) return;
    const [end, notice] = isInPlan ? [sub!.end, noticeSeconds] : [freeUntil ?? 0, 0];
    if (notice > 0 && dispute?.state === 'open') return;
    const left = Math.max(end - unusedOf(gift, at), at + notice);
    const until = notice > 0 ? Math.ceil(left) : toMs(left);
    if (until >= end) return;
    gift.taken = toMs(end - until);
    if (notice === 0) this.freeUntil = until;
    else {
      used.until = until;
      postpone(sub!, until);
    }
  }

  #switchTotal(now: number): number {
    const sub = this.subscription!;
    const price = sub.latest?.price ?? prices[sub.currency][sub.plan];
    const from = Math.max(Math.floor(now / hour) * hour, sub.start);
    const isPaid = sub.latest === null || !(sub.latest.isVoid || isReturned(sub.latest));
    const unused = isPaid ? Math.max(0, Math.min(1, (sub.end - from) / (sub.end - sub.start))) : 0;
    const next = priceOf(sub, otherPlan(sub.plan), now);
    return this.#taxed(next) + this.#taxed(-Math.round(price * unused));
  }

  /** Tax is added to each line of a bill. */
  #taxed(amount: number): number {
    return withTax(amount, this.taxRate);
  }

  #canPay(total: number): boolean {
    return this.card === 'good' || spend(total, this.balance, this.currency).due === 0;
  }

  /** Starts a paid period now. The caller has checked the card. */
  #buy(sub: Subscription, total: number, at: number): void {
    const bill = newBill(priceOf(sub, sub.plan, at), total, at);
    useDiscount(sub);
    sub.latest = bill;
    sub.status = 'active';
    sub.isFree = false;
    sub.endsWithPeriod = false;
    this.isStopped = false;
    sub.start = at;
    sub.anchor = at;
    sub.end = nextBoundary(sub, at);
    this.#settle(bill, at);
    if (bill.due > 0) bill.charge = this.#charge(sub, bill.due, at);
  }

  /** Uses the balance for a bill. */
  #settle(bill: Bill, at: number): void {
    const { due, balance } = spend(bill.total, this.balance, this.currency);
    bill.due = due;
    this.balance = balance;
    this.#settledAt = at;
  }

  #charge(of: Subscription, amount: number, at: number): Charge {
    const charge: Charge = { at, amount, of, refunds: [], dispute: null };
    this.charges.push(charge);
    if (this.#rewarded === null && this.referrer !== null && !this.referrer.isDeleted)
      this.#rewarded = { charge, isBooked: false };
    this.#reconsider(at);
    return charge;
  }

  /** One attempt of the provider's schedule. */
  #collect(sub: Subscription, bill: Bill, at: number): void {
    if (this.card === 'good') {
      this.#pay(sub, bill, at);
      return;
    }
    const days = retryAfterDays[bill.retries];
    bill.retries += 1;
    bill.retryAt = days === undefined ? null : at + days * day;
    sub.status = 'past_due';
    if (days === undefined) end(sub);
  }

  #pay(sub: Subscription, bill: Bill, at: number): void {
    sub.open.splice(sub.open.indexOf(bill), 1);
    bill.charge = this.#charge(sub, bill.due, at);
    if (sub.open.length === 0) sub.status = 'active';
  }

  #payOpen(sub: Subscription, at: number): void {
    for (const bill of [...sub.open]) this.#pay(sub, bill, at);
  }

  #renew(sub: Subscription): void {
    const at = sub.end;
    sub.start = at;
    sub.end = nextBoundary(sub, at);
    if (sub.status === 'trialing') sub.status = 'active';
    sub.isFree = false;
    const price = priceOf(sub, sub.plan, at);
    const bill = { ...newBill(price, this.#taxed(price), at + draftSeconds), isVoid: sub.isPaused };
    useDiscount(sub);
    sub.latest = bill;
    sub.draft = sub.isPaused ? null : bill;
  }

  /** What billing does by itself after any change. */
  #react(at: number): void {
    const { subscription: sub, hold } = this;
    if (sub === null || !this.#isLive) return;
    if (hold === 'lost') end(sub);
    if (hold === 'disputed') {
      sub.isPaused = true;
      for (const bill of [sub.draft, ...sub.open]) if (bill !== null) bill.isVoid = true;
      // What they took from the balance returns to it.
      for (const bill of sub.open) this.balance += bill.due - bill.total;
      sub.draft = null;
      sub.open = [];
      if (sub.status === 'past_due') sub.status = 'active';
    } else sub.isPaused = false;
    const { freeUntil } = this;
    if (this.#renews && freeUntil !== null && freeUntil > Math.max(sub.end, at)) {
      const isFreeByGift = this.gifts.some((gift) => gift.taken === null && unusedOf(gift, at) > 0);
      this.#moveAccessIntoPlan(sub, freeUntil);
      if (isFreeByGift) sub.isFree = true;
    }
  }

  /** Decides again whether the first payment earns the referrer a credit. */
  #reconsider(at: number): void {
    if (this.#rewarded === null || this.referrer === null) return;
    const { charge, isBooked } = this.#rewarded;
    const refunds = charge.refunds.filter((one) => one.at <= charge.at + referralSeconds);
    const isReturned = sumOf(refunds) + disputed(charge) >= charge.amount;
    if (isBooked === !isReturned) return;
    this.#rewarded.isBooked = !isReturned;
    const credit = referralCredit[this.referrer.currency];
    this.referrer.balance += isReturned ? credit : -credit;
    this.referrer.#noteBooking(at);
  }

  #noteBooking(at: number): void {
    const next = this.subscription?.draft?.finalizesAt ?? this.nextAt();
    if (Math.abs(at - this.#settledAt) < lateness || Math.abs(next - at) < lateness)
      this.isAmbiguous ||= this.friends.length > 0;
  }
}

/** Lets time pass for people who affect each other. */
export function advance(people: Person[], until: number): void {
  for (;;) {
    const [next] = people.toSorted((one, other) => one.nextAt() - other.nextAt());
    if (next === undefined || next.nextAt() > until) break;
    next.step();
  }
  for (const person of people) person.expire(until);
}
