import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import type { StaffActionKind, StaffActionOutcome } from '@daylift/contracts/billing.http';
import { call } from '../../../api.ts';

/** A filled-in form. Each kind uses its own fields. */
export interface StaffRequest {
  kind: StaffActionKind;
  reason: string;
  request_key: string;
  amount_cents: number;
  invoice_id: string;
  days: number;
  /** Local date. */
  until: string;
}

function send(id: string, request: StaffRequest): Promise<StaffActionOutcome> {
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

export const useStaffAction = (id: string) =>
  useAction({
    mutationFn: (request: StaffRequest) => send(id, request),
    onSettled: useRefresh('subscribers', 'subscriber', 'analytics'),
  });
