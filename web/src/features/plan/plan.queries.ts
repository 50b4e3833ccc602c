import { useAction } from '@daylift/api-client/use-action';
import type { PlanView } from '@daylift/contracts/billing.http';
import type { PlanId } from '@daylift/contracts/fields';
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { apiQuery, call } from '../../api.ts';
import { leaveFor } from '../../components/leaving.ts';
import { refreshQueries, updateQuery } from '../../components/query-updates.ts';

/** Changes with a price. */
export type PaidAction = 'upgrade' | 'switch';

const pollMs = 5_000;

export const subscriptionQuery = apiQuery(['subscription'], 'GET /users/me/subscription');

export const planQuery = queryOptions({
  queryKey: ['plan'],
  queryFn: ({ signal }) => call('GET /users/me/plan', { signal }),
  // A card or payment changed on the provider's pages shows up here a moment later.
  refetchInterval: ({ state }) => (state.data?.owed ? pollMs : false),
});

const shownInvoices = 12;

/** Requests one invoice more than it shows, to know whether there are older ones. */
export const invoicesQuery = infiniteQueryOptions({
  queryKey: ['invoices'],
  queryFn: ({ pageParam: before, signal }) =>
    call('GET /users/me/invoices', {
      query: { limit: shownInvoices + 1, before: before ?? undefined },
      signal,
    }),
  // The newest is paid on the provider's pages or by a retry.
  refetchInterval: ({ state }) => (state.data?.pages[0]?.[0]?.status === 'open' ? pollMs : false),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => (page.length > shownInvoices ? page[shownInvoices - 1]?.id : null),
  select: ({ pages }) => pages.flatMap((page) => page.slice(0, shownInvoices)),
});

export const useOpenPdf = () =>
  useAction({
    mutationFn: async (invoice_id: string) =>
      leaveFor(
        (await call('GET /users/me/invoices/:invoice_id/pdf', { params: { invoice_id } })).url,
      ),
  });

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

export const useChoosePrice = () =>
  useAction({
    mutationFn: (accept: boolean) => call('POST /users/me/plan/price', { body: { accept } }),
    onSuccess: useShowPlan(),
  });

/** Pays exactly the amount shown. Refreshes the plan on failure, because the declined card may have changed. */
export const usePayOwed = () => {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (charge_now_cents: number) =>
      call('POST /users/me/plan/pay', { body: { charge_now_cents } }),
    onSuccess: useShowPlan(),
    onError: () => refreshQueries(queries, ['plan']),
  });
};

export type UndoCancel = ReturnType<typeof useUndoCancel>;

/** Opens the provider's portal. */
export const useOpenPortal = () =>
  useAction({
    mutationFn: async () =>
      leaveFor(
        (await call('POST /users/me/plan/portal', { body: { origin_url: window.location.origin } }))
          .url,
      ),
  });
