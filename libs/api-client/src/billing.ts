import type {
  ChangePlanRequest,
  CreateCheckoutRequest,
  CreateCheckoutResponse,
  PaymentStatus,
  PlanPreview,
  PlanPreviewQuery,
  PlanView,
  PortalRequest,
  PortalResponse,
  PublicCatalogue,
  ReferralFigures,
  UserInvoice,
  UserSubscription,
} from '@daylift/contracts/billing.http';
import type { Page } from '@daylift/contracts/fields';
import type { SubscriptionDay } from '@daylift/contracts/figures.http';
import type { Client } from './request.ts';

/** Calls that the billing service answers for visitors and subscribers. */
export const createBillingApi = ({ callPath: call }: Pick<Client, 'callPath'>) => ({
  getCatalogue: (signal?: AbortSignal) => call<PublicCatalogue>('GET', '/plans', { signal }),
  createCheckout: (body: CreateCheckoutRequest) =>
    call<CreateCheckoutResponse>('POST', '/payments/create-checkout', { body }),
  getPaymentStatus: (sessionId: string, signal?: AbortSignal) =>
    call<PaymentStatus>('GET', `/payments/status/${encodeURIComponent(sessionId)}`, { signal }),
  getSubscription: (signal?: AbortSignal) =>
    call<UserSubscription>('GET', '/users/me/subscription', { signal }),
  getPlan: (signal?: AbortSignal) => call<PlanView>('GET', '/users/me/plan', { signal }),
  previewPlan: (query: PlanPreviewQuery, signal?: AbortSignal) =>
    call<PlanPreview>('GET', '/users/me/plan/preview', { query, signal }),
  upgradePlan: (body: ChangePlanRequest) =>
    call<PlanView>('POST', '/users/me/plan/upgrade', { body }),
  switchPlan: (body: ChangePlanRequest) =>
    call<PlanView>('POST', '/users/me/plan/switch', { body }),
  cancelPlan: () => call<PlanView>('POST', '/users/me/plan/cancel'),
  undoCancelPlan: () => call<PlanView>('POST', '/users/me/plan/undo-cancel'),
  openPortal: (body: PortalRequest) =>
    call<PortalResponse>('POST', '/users/me/plan/portal', { body }),
  listInvoices: (signal?: AbortSignal) =>
    call<UserInvoice[]>('GET', '/users/me/invoices', { signal }),
  getReferralFigures: (signal?: AbortSignal) =>
    call<ReferralFigures>('GET', '/users/me/referrals', { signal }),
});

/** Calls that the billing service answers for operators. */
export const createAdminBillingApi = (client: Client) => {
  const { callPath: call } = client;
  return {
    getSubscriptionDays: (days: number, signal?: AbortSignal) =>
      call<SubscriptionDay[]>('GET', '/admin/subscriptions/figures', { query: { days }, signal }),
    listSubscriptions: (page: Page, signal?: AbortSignal) =>
      client.call('GET /admin/subscriptions', { query: page, signal }),
  };
};
