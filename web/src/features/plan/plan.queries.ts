import { useAction } from '@daylift/api-client/use-action';
import type { PlanView } from '@daylift/contracts/billing.http';
import type { PlanId } from '@daylift/contracts/fields';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery, call } from '../../api.ts';
import { leaveFor } from '../../components/leaving.ts';
import { refreshQueries, updateQuery } from '../../components/query-updates.ts';

/** Changes with a price. */
export type PaidAction = 'upgrade' | 'switch';

export const planQuery = apiQuery(['plan'], 'GET /users/me/plan');

export const invoicesQuery = apiQuery(['invoices'], 'GET /users/me/invoices');

/** Never cached, because the amount changes over time. */
export const previewQuery = (action: PaidAction, plan: PlanId) => ({
  ...apiQuery(['plan-preview', action, plan], 'GET /users/me/plan/preview', {
    query: { action, plan },
  }),
  staleTime: 0,
  gcTime: 0,
});

/** Writes the new plan to the cache and invalidates what depends on it. */
export const useShowPlan = () => {
  const queries = useQueryClient();
  return async (plan: PlanView): Promise<void> => {
    await updateQuery<PlanView>(queries, planQuery.queryKey, () => plan);
    refreshQueries(queries, ['subscription', 'next-text', 'invoices']);
  };
};

export const useCancelPlan = () =>
  useAction({ mutationFn: () => call('POST /users/me/plan/cancel'), onSuccess: useShowPlan() });

export const useUndoCancel = () =>
  useAction({
    mutationFn: () => call('POST /users/me/plan/undo-cancel'),
    onSuccess: useShowPlan(),
  });

/** Opens the provider's portal. */
export const useOpenPortal = () =>
  useAction({
    mutationFn: async () =>
      leaveFor(
        (await call('POST /users/me/plan/portal', { body: { origin_url: window.location.origin } }))
          .url,
      ),
  });
