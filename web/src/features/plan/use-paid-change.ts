import { ApiError } from '@daylift/api-client/request';
import { useAction } from '@daylift/api-client/use-action';
import type { PlanId } from '@daylift/contracts/fields';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { type PaidAction, previewQuery, useShowPlan } from './plan.queries.ts';

const isCode = (error: unknown, code: string): boolean =>
  error instanceof ApiError && error.code === code;

/**
 * A change that may cost money. The confirmation sends the price that was shown, so no other amount can be charged.
 */
export const usePaidChange = (
  action: PaidAction,
  plan: PlanId,
  { enabled = true, onDone }: { enabled?: boolean; onDone?: (chargedCents: number) => void } = {},
) => {
  const preview = useQuery({ ...previewQuery(action, plan), enabled });
  const change = useAction({
    mutationFn: (charge_now_cents: number) =>
      call(`POST /users/me/plan/${action}`, { body: { plan, charge_now_cents } }),
    onSuccess: useShowPlan(),
    onError: (error) => {
      if (isCode(error, 'PRICE_CHANGED')) void preview.refetch();
    },
  });
  const ready = preview.isSuccess && !preview.isFetching;
  return {
    preview,
    change,
    ready,
    priceChanged: isCode(change.error, 'PRICE_CHANGED'),
    declined: isCode(change.error, 'CARD_DECLINED'),
    confirm: () => {
      if (!ready || change.isPending) return;
      change.mutate(preview.data.charge_now_cents, {
        onSuccess: (_plan, charged) => onDone?.(charged),
      });
    },
  };
};

export type PaidChange = ReturnType<typeof usePaidChange>;
