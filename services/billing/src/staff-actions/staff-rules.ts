import { dayMs } from '@daylift/clock/durations';
import type { StaffActionKind } from '@daylift/contracts/billing.http';
import type { Subscription } from '../subscriptions/subscriptions.repository.ts';

export type Standing = Pick<
  Subscription,
  | 'status'
  | 'is_live'
  | 'stripe_subscription_id'
  | 'cancel_at_period_end'
  | 'current_period_end'
  | 'trial_end'
  | 'entitled'
  | 'hold'
  | 'entitled_until'
  | 'comp_until'
>;

export const isFreeTime = (kind: StaffActionKind): boolean =>
  ['free_days', 'extend_trial', 'free_access'].includes(kind);

/** The error of an action whose task failed or was discarded. */
export const taskFailedWords =
  'This failed five times. Retry or discard it in Failed events, and check Stripe before you do it again.';

/**
 * What free time changes. `next_charge`: the provider charges later. `own_trial`: a trial without a card ends later.
 * `access`: texts continue without a plan.
 */
export type FreeTimeEffect = 'next_charge' | 'own_trial' | 'access';

export function freeTimeEffect(row: Standing | undefined): FreeTimeEffect {
  if (row === undefined) return 'access';
  const { status, stripe_subscription_id: id } = row;
  if (status === 'trial' && id === null && row.entitled) return 'own_trial';
  // A held plan charges nothing to postpone.
  const renews = row.is_live && !row.cancel_at_period_end && row.hold === null;
  return renews && (status === 'trial' || status === 'active') ? 'next_charge' : 'access';
}

/** Returns when free days would start, or null if the subscriber has no access. */
export function accessUntil(row: Standing | undefined): Date | null {
  if (row === undefined) return null;
  switch (freeTimeEffect(row)) {
    case 'next_charge':
      // The provider may not have the free time of a gift yet.
      return [row.current_period_end, row.comp_until].reduce((one, other) =>
        one !== null && (other === null || one > other) ? one : other,
      );
    case 'own_trial':
      return row.trial_end;
    case 'access':
      return row.entitled ? row.entitled_until : null;
  }
}

export const isTrialToExtend = (row: Standing | undefined): boolean =>
  row?.status === 'trial' && freeTimeEffect(row) !== 'access';

export function possibleKinds(
  row: Standing | undefined,
  has: { customer: boolean; refundable: boolean },
): StaffActionKind[] {
  const kinds: [StaffActionKind, boolean][] = [
    ['refund', has.refundable],
    ['credit', has.customer],
    ['extend_trial', isTrialToExtend(row)],
    ['free_days', canExtend(row) && !isTrialToExtend(row) && accessUntil(row) !== null],
    ['free_access', canExtend(row)],
    ['cancel_at_period_end', row?.is_live === true && !row.cancel_at_period_end],
    ['cancel_now', row !== undefined && (row.is_live || row.entitled)],
  ];
  return kinds.filter(([, isPossible]) => isPossible).map(([kind]) => kind);
}

export const canExtend = (row: Standing | undefined): boolean => row?.status !== 'past_due';

export const daysBetween = (from: Date, to: Date): number =>
  Math.max(1, Math.ceil((to.getTime() - from.getTime()) / dayMs));
