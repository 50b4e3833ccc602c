import { queryOptions } from '@tanstack/react-query';
import { call } from './api.ts';

/** Polls while the payment is pending. Each request also runs the fulfillment. */
export const paymentStatusQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['payment-status', sessionId],
    queryFn: ({ signal }) =>
      call('GET /payments/status/:session_id', { params: { session_id: sessionId }, signal }),
    refetchInterval: ({ state }) => (state.data?.payment_status === 'pending' ? 3000 : false),
  });
