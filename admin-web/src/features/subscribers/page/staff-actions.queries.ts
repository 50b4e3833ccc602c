import { useRefresh } from '@daylift/api-client/queries';
import { ApiError } from '@daylift/api-client/request';
import { useAction } from '@daylift/api-client/use-action';
import type { StaffActionKind, StaffActionOutcome } from '@daylift/contracts/billing.http';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { createRequestKeys } from '../../../components/request-key.ts';

/** A filled-in form. Each kind uses its own fields. */
export interface StaffRequest {
  kind: StaffActionKind;
  reason: string;
  amount_cents: number;
  invoice_id: string;
  days: number;
  /** Local date. */
  until: string;
}

function send(
  id: string,
  request: StaffRequest & { request_key: string },
): Promise<StaffActionOutcome> {
  const { kind, amount_cents, invoice_id, days, until, ...rest } = request;
  const params = { id };
  switch (kind) {
    case 'refund':
      return call('POST /admin/subscriptions/:id/refund', {
        params,
        body: { ...rest, invoice_id, amount_cents },
      });
    case 'credit':
      return call('POST /admin/subscriptions/:id/credit', {
        params,
        body: { ...rest, amount_cents },
      });
    case 'free_days':
      return call('POST /admin/subscriptions/:id/free-days', { params, body: { ...rest, days } });
    case 'extend_trial':
      return call('POST /admin/subscriptions/:id/extend-trial', {
        params,
        body: { ...rest, days },
      });
    case 'free_access':
      return call('POST /admin/subscriptions/:id/free-access', {
        params,
        body: { ...rest, until },
      });
    case 'cancel_now':
    case 'cancel_at_period_end':
      return call('POST /admin/subscriptions/:id/cancel', {
        params,
        body: { ...rest, when: kind === 'cancel_now' ? 'now' : 'period_end' },
      });
  }
}

/** Sends a staff action. Without a response, the same content is the same request, so it can't happen twice. */
export const useStaffAction = (id: string) => {
  const [keyFor, setKeyFor] = useState(createRequestKeys);
  const renewKeys = () => setKeyFor(createRequestKeys);
  return useAction({
    mutationFn: (request: StaffRequest) =>
      send(id, { ...request, request_key: keyFor(JSON.stringify({ id, ...request })) }),
    onSuccess: renewKeys,
    onError: (error) => {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) renewKeys();
    },
    onSettled: useRefresh('subscribers', 'subscriber', 'analytics'),
  });
};
