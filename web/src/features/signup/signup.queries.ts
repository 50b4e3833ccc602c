import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';

/** Polls while the payment is pending. Each request also runs the fulfillment. */
export const paymentStatusQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['payment-status', sessionId],
    queryFn: ({ signal }) =>
      call('GET /payments/status/:session_id', { params: { session_id: sessionId }, signal }),
    refetchInterval: ({ state }) => (state.data?.payment_status === 'pending' ? 3000 : false),
  });

const plannedMs = 3_000;

/** The first text is planned a moment after the payment. */
export const firstTextQuery = queryOptions({
  queryKey: ['next-text'],
  queryFn: ({ signal }) => call('GET /users/me/next-text', { signal }),
  refetchInterval: ({ state }) => (state.data?.next_text_at === null ? plannedMs : false),
});
