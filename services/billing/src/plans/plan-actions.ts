import type { PlanAction } from '@daylift/contracts/billing.http';
import type { PlanId } from '@daylift/contracts/fields';
import type { PlanChangeAction } from '../database.ts';
import {
  EndsSoon,
  NoSubscription,
  NothingOwed,
  PaymentOwed,
  PlanOnHold,
  StillFree,
  TrialOver,
} from '../errors.ts';
import type { Subscription } from '../subscriptions/subscriptions.repository.ts';

type Facts = Pick<
  Subscription,
  | 'status'
  | 'is_live'
  | 'plan'
  | 'cancel_at_period_end'
  | 'stripe_subscription_id'
  | 'comp_until'
  | 'stopped_at'
  | 'restored_at'
  | 'hold'
>;

export interface WantedChange {
  action: Exclude<PlanChangeAction, 'move_price'>;
  plan: PlanId;
}

/** Returns the actions available now. A planned cancellation must be undone before anything more is paid. */
export function actionsOf(row: Facts | undefined, hasCustomer: boolean, now: Date): PlanAction[] {
  const isFree = row?.comp_until != null && row.comp_until > now;
  // An upgrade would charge for free access.
  return actionsAtAnyTime(row, hasCustomer).filter((one) => one !== 'upgrade' || !isFree);
}

function actionsAtAnyTime(row: Facts | undefined, hasCustomer: boolean): PlanAction[] {
  if (row === undefined) return [];
  const end: PlanAction = row.cancel_at_period_end ? 'undo_cancel' : 'cancel';
  // A change would charge, credit or promise texts for a payment that is in doubt or returned.
  if (row.hold !== null && row.is_live)
    return row.cancel_at_period_end ? ['portal'] : ['cancel', 'portal'];
  switch (row.status) {
    case 'trial':
      // Without a card there is nothing to charge, change or cancel, so checkout is the only way on.
      if (row.stripe_subscription_id === null) return ['checkout'];
      return ['upgrade', 'switch', end, 'portal'];
    case 'active':
      return row.cancel_at_period_end ? [end, 'portal'] : ['switch', end, 'portal'];
    case 'past_due':
      return ['pay', end, 'portal'];
    case 'pending':
    case 'expired':
    case 'canceled':
      return hasCustomer ? ['portal'] : [];
  }
}

/** Returns whether the change is already made: a second click or another tab has nothing left to do. */
export function isReached(
  row: Facts,
  { action, plan }: { action: PlanChangeAction; plan: PlanId },
): boolean {
  if (!row.is_live) return false;
  switch (action) {
    case 'cancel':
      return row.cancel_at_period_end && !mayBeRestored(row);
    case 'undo_cancel':
      return !row.cancel_at_period_end && actionsAtAnyTime(row, true).includes('cancel');
    case 'switch':
      return row.plan === plan && (row.status === 'trial' || row.status === 'active');
    case 'upgrade':
      return row.plan === plan && row.status === 'active';
    case 'pay':
      return row.status === 'active';
    case 'move_price':
      return false;
  }
}

/** START lifts an end caused by STOP, or is about to; only the subscriber's own cancellation stays. */
const mayBeRestored = ({ stopped_at, restored_at }: Facts): boolean =>
  stopped_at !== null || restored_at !== null;

/** Returns the error that says why the action isn't possible now, or null. */
export function findRefusal(
  row: Facts | undefined,
  { action }: WantedChange,
  now: Date,
): Error | null {
  const actions = actionsOf(row, false, now);
  if (actions.includes(action)) return null;
  const isRestorable = row !== undefined && mayBeRestored(row);
  if (action === 'cancel' && isRestorable && actions.includes('undo_cancel')) return null;
  if (row?.is_live && row.hold !== null) return new PlanOnHold();
  if (action === 'pay') return new NothingOwed();
  switch (row?.status) {
    case 'past_due':
      return new PaymentOwed();
    case 'trial':
      return action === 'upgrade' && row.is_live ? new StillFree() : new NoSubscription();
    case 'active':
      return action === 'upgrade' ? new TrialOver() : new EndsSoon();
    default:
      return new NoSubscription();
  }
}
