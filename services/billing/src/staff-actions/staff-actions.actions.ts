import { setTimeout as delay } from 'node:timers/promises';
import { dayMs } from '@daylift/clock/durations';
import type {
  StaffActionKind,
  StaffActionOutcome,
  StaffOptions,
} from '@daylift/contracts/billing.http';
import type { AdminRole } from '@daylift/contracts/fields';
import type { ActingStaff } from '../acting-staff.ts';
import { catalogueFor } from '../customers/currency.ts';
import { findOrFetchCustomer } from '../customers/customers.actions.ts';
import { type Customer, lockCustomer } from '../customers/customers.repository.ts';
import type { Db, Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { endOfDate } from '../end-of-date.ts';
import {
  AccessIsLonger,
  AlreadyCanceled,
  DateTooFar,
  FreeTimePending,
  InTrial,
  NoPlanToChange,
  NoProviderCustomer,
  NothingToRefund,
  NotInTrial,
  OverOperatorLimit,
  PaymentOverdue,
  RefundTooHigh,
  RequestKeyReused,
  StaffActionFailed,
  UnknownUser,
} from '../errors.ts';
import { findNonzeroInvoices } from '../invoices/invoices.repository.ts';
import { dayOf, money } from '../notices/words.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { findSubscription, lockSubscription } from '../subscriptions/subscriptions.repository.ts';
import {
  findOutcome,
  findPendingKinds,
  findPendingRefunds,
  findStaffAction,
  insertStaffAction,
  type StaffAction,
  sumGivenByOperators,
} from './staff-actions.repository.ts';
import {
  accessUntil,
  canExtend,
  daysBetween,
  freeTimeEffect,
  isFreeTime,
  isTrialToExtend,
  possibleKinds,
  type Standing,
  taskFailedWords,
} from './staff-rules.ts';

export interface RequestedAction {
  kind: StaffActionKind;
  reason: string;
  request_key: string;
  amount_cents?: number;
  invoice_id?: string;
  days?: number;
  /** Local date. */
  until?: string;
}

const limitPeriodMs = 30 * dayMs;
const maxFreeMs = 731 * dayMs;
/** How long a request waits for the provider. Wall clock. */
const patienceMs = 20_000;
const pollMs = 50;
/** More invoices than anyone pays within Stripe's refund window. */
const refundableInvoices = 24;

export async function readStaffOptions(
  deps: BillingDeps,
  userId: string,
  role: AdminRole,
): Promise<StaffOptions> {
  const { db, clock, providerPages } = deps;
  const customer = await findOrFetchCustomer(deps, userId);
  if (customer === undefined) throw new UnknownUser();
  const [row, refundable, pending, left] = await Promise.all([
    findSubscription(db, userId),
    findRefundable(db, userId),
    findPendingKinds(db, userId),
    findLeft(deps, db, userId, role),
  ]);
  const { stripe_customer_id: id } = customer;
  return {
    kinds: possibleKinds(row, { customer: id !== null, refundable: refundable.length > 0 }),
    left,
    refundable: refundable.map(({ paid_at, payment_intent_id: _, ...invoice }) => ({
      ...invoice,
      paid_at: paid_at.toISOString(),
    })),
    currency: catalogueFor(deps, customer).currency,
    access_until: futureOf(accessUntil(row), clock.now())?.toISOString() ?? null,
    renews: freeTimeEffect(row) === 'next_charge',
    pending,
    customer_url: id === null || providerPages === null ? null : `${providerPages}/customers/${id}`,
  };
}

const futureOf = (instant: Date | null, now: Date): Date | null =>
  instant !== null && instant > now ? instant : null;

/** Returns paid invoices with an amount left to refund. Pending refunds are already subtracted. */
async function findRefundable(db: Db, userId: string) {
  const [invoices, pending] = await Promise.all([
    findNonzeroInvoices(db, userId, { statuses: ['paid'], limit: refundableInvoices }),
    findPendingRefunds(db, userId),
  ]);
  return invoices.flatMap(({ id, payment_intent_id, paid_at, created_at, ...cents }) => {
    if (payment_intent_id === null) return [];
    const left =
      cents.amount_paid_cents - cents.refunded_cents - (pending.get(payment_intent_id) ?? 0);
    if (left <= 0) return [];
    return {
      invoice_id: id,
      payment_intent_id,
      paid_at: paid_at ?? created_at,
      paid_cents: cents.amount_paid_cents,
      left_cents: left,
    };
  });
}

/** Returns what the role may still give, or null if unlimited. Every limit check uses it. */
async function findLeft(
  { operatorLimits, clock }: BillingDeps,
  db: Db,
  userId: string,
  role: AdminRole,
): Promise<StaffOptions['left']> {
  if (role === 'owner') return null;
  const given = await sumGivenByOperators(
    db,
    userId,
    new Date(clock.now().getTime() - limitPeriodMs),
  );
  return {
    cents: Math.max(0, operatorLimits.cents - given.cents),
    days: Math.max(0, operatorLimits.days - given.days),
  };
}

/**
 * Stores an admin's request, enqueues it for the provider and waits for the outcome. A request with the same key
 * returns the outcome of the first, even after a crash.
 */
export async function takeStaffAction(
  deps: BillingDeps,
  userId: string,
  requested: RequestedAction,
  by: ActingStaff,
): Promise<StaffActionOutcome> {
  if ((await findOrFetchCustomer(deps, userId)) === undefined) throw new UnknownUser();
  await deps.db.transaction().execute((trx) => storeOnce(trx, deps, userId, requested, by));
  deps.wake('provider-tasks');
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const outcome = await findOutcome(deps.db, requested.request_key);
    if (outcome?.state === 'done') return { state: 'done' };
    if (outcome?.state === 'failed') throw new StaffActionFailed(outcome.error ?? taskFailedWords);
    await delay(pollMs);
  }
  return { state: 'pending' };
}

type Resolved = Partial<
  Pick<StaffAction, 'amount_cents' | 'invoice_id' | 'payment_intent_id' | 'days' | 'until'>
>;

async function storeOnce(
  trx: Trx,
  deps: BillingDeps,
  userId: string,
  requested: RequestedAction,
  by: ActingStaff,
): Promise<void> {
  const customer = await lockCustomer(trx, userId);
  if (customer === undefined || customer.deleted_at !== null) throw new UnknownUser();
  const known = await findStaffAction(trx, requested.request_key);
  if (known !== undefined) {
    if (!isSame(known, userId, requested, customer)) throw new RequestKeyReused();
    return;
  }
  const now = deps.clock.now();
  const resolved = await resolve(trx, deps, customer, requested);
  await checkLimit(trx, deps, customer, resolved, by.role);
  const { admin_id, username, role, ip, request_id } = by;
  await insertStaffAction(trx, {
    ...{
      id: requested.request_key,
      user_id: userId,
      kind: requested.kind,
      reason: requested.reason.trim(),
    },
    ...{ admin_id, username, role, ip, request_id, created_at: now },
    ...resolved,
  });
  await enqueueTask(trx, 'staff_action', [requested.request_key], now);
}

function isSame(
  known: StaffAction,
  userId: string,
  requested: RequestedAction,
  { timezone }: Customer,
): boolean {
  const until =
    requested.until === undefined ? null : endOfDate(requested.until, timezone).getTime();
  return (
    known.user_id === userId &&
    known.kind === requested.kind &&
    known.reason === requested.reason.trim() &&
    known.amount_cents === (requested.amount_cents ?? null) &&
    known.invoice_id === (requested.invoice_id ?? null) &&
    (requested.days === undefined || known.days === requested.days) &&
    (until === null || known.until?.getTime() === until)
  );
}

async function checkLimit(
  trx: Trx,
  deps: BillingDeps,
  customer: Customer,
  { amount_cents, days }: Resolved,
  role: AdminRole,
): Promise<void> {
  const left = await findLeft(deps, trx, customer.user_id, role);
  if (left === null) return;
  const { cents: maxCents, days: maxDays } = deps.operatorLimits;
  if ((amount_cents ?? 0) > left.cents)
    throw new OverOperatorLimit(money(maxCents, catalogueFor(deps, customer).currency));
  if ((days ?? 0) > left.days) throw new OverOperatorLimit(`${maxDays} free days`);
}

/** Returns the exact effect, or throws the error that says why it isn't possible. */
async function resolve(
  trx: Trx,
  deps: BillingDeps,
  customer: Customer,
  requested: RequestedAction,
): Promise<Resolved> {
  const row = await lockSubscription(trx, customer.user_id);
  switch (requested.kind) {
    case 'refund':
      return resolveRefund(trx, deps, customer, requested);
    case 'credit':
      if (customer.stripe_customer_id === null) throw new NoProviderCustomer();
      return { amount_cents: requested.amount_cents ?? 0 };
    case 'free_days':
    case 'extend_trial':
    case 'free_access':
      // Its new date isn't stored yet, so this one would be computed from the old one.
      await rejectWhileFreeTimePending(trx, customer.user_id);
      return resolveFreeTime(deps, customer, row, requested);
    case 'cancel_now':
    case 'cancel_at_period_end':
      // It would give access again after the end.
      await rejectWhileFreeTimePending(trx, customer.user_id);
      rejectCancel(row, requested.kind);
      return {};
  }
}

async function rejectWhileFreeTimePending(trx: Trx, userId: string): Promise<void> {
  if ((await findPendingKinds(trx, userId)).some(isFreeTime)) throw new FreeTimePending();
}

async function resolveRefund(
  trx: Trx,
  deps: BillingDeps,
  customer: Customer,
  { invoice_id, amount_cents = 0 }: RequestedAction,
): Promise<Resolved> {
  const paid = await findRefundable(trx, customer.user_id);
  const invoice = paid.find((one) => one.invoice_id === invoice_id);
  if (invoice === undefined) throw new NothingToRefund();
  if (amount_cents > invoice.left_cents)
    throw new RefundTooHigh(money(invoice.left_cents, catalogueFor(deps, customer).currency));
  const { payment_intent_id } = invoice;
  return { amount_cents, invoice_id: invoice.invoice_id, payment_intent_id };
}

function resolveFreeTime(
  { clock }: BillingDeps,
  { timezone }: Customer,
  row: Standing | undefined,
  { kind, days, until: date }: RequestedAction,
): Resolved {
  if (!canExtend(row)) throw new PaymentOverdue();
  if (kind === 'extend_trial' && !isTrialToExtend(row)) throw new NotInTrial();
  if (kind === 'free_days' && isTrialToExtend(row)) throw new InTrial();
  const now = clock.now();
  const from = futureOf(accessUntil(row), now);
  if (from === null && date === undefined) throw new NoPlanToChange();
  const start = from ?? now;
  const until =
    date === undefined
      ? new Date(start.getTime() + (days ?? 0) * dayMs)
      : endOfDate(date, timezone);
  if (until <= start) throw new AccessIsLonger(dayOf(start, timezone));
  if (until.getTime() > now.getTime() + maxFreeMs) throw new DateTooFar();
  return { days: days ?? daysBetween(start, until), until };
}

function rejectCancel(
  row: Standing | undefined,
  kind: 'cancel_now' | 'cancel_at_period_end',
): void {
  if (possibleKinds(row, { customer: false, refundable: false }).includes(kind)) return;
  if (row?.is_live) throw new AlreadyCanceled();
  throw new NoPlanToChange();
}
