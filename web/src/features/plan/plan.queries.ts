import { useAction } from '@daylift/api-client/use-action';
import type { PlanView } from '@daylift/contracts/billing.http';
import type { PlanId } from '@daylift/contracts/fields';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { askAnew, showAnswer } from '../../components/fresh-answers.ts';
import { leaveFor } from '../../components/leaving.ts';

/** What may be changed at a price. */
export type PaidAction = 'upgrade' | 'switch';

export const planQuery = queryOptions({
  queryKey: ['plan'],
  queryFn: ({ signal }) => call('GET /users/me/plan', { signal }),
});

export const invoicesQuery = queryOptions({
  queryKey: ['invoices'],
  queryFn: ({ signal }) => call('GET /users/me/invoices', { signal }),
});

/** An amount is asked for each time that it is shown: what stood there before may be another one now. */
export const previewQuery = (action: PaidAction, plan: PlanId) =>
  queryOptions({
    queryKey: ['plan-preview', action, plan],
    queryFn: ({ signal }) =>
      call('GET /users/me/plan/preview', { query: { action, plan }, signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** Shows at once what the service made of a change, and asks anew for all that hangs on it. */
export const useShowPlan = () => {
  const queries = useQueryClient();
  return async (plan: PlanView): Promise<void> => {
    await showAnswer<PlanView>(queries, planQuery.queryKey, () => plan);
    askAnew(queries, ['subscription', 'next-text', 'invoices']);
  };
};

export const useCancelPlan = () =>
  useAction({ mutationFn: () => call('POST /users/me/plan/cancel'), onSuccess: useShowPlan() });

export const useUndoCancel = () =>
  useAction({
    mutationFn: () => call('POST /users/me/plan/undo-cancel'),
    onSuccess: useShowPlan(),
  });

/** Leaves for the provider's page of card and invoices. */
export const useOpenPortal = () =>
  useAction({
    mutationFn: async () =>
      leaveFor(
        (await call('POST /users/me/plan/portal', { body: { origin_url: window.location.origin } }))
          .url,
      ),
  });
