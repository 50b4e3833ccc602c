import type {
  AdminSubscription,
  CreateCheckoutRequest,
  CreateCheckoutResponse,
  PaymentStatus,
  PublicCatalogue,
  UserSubscription,
} from '@daylift/contracts/billing.http';
import type { Page } from '@daylift/contracts/fields';
import type { Client } from './request.ts';

/** Calls that the billing service answers for visitors and subscribers. */
export const createBillingApi = ({ call }: Pick<Client, 'call'>) => ({
  getCatalogue: (signal?: AbortSignal) => call<PublicCatalogue>('GET', '/plans', { signal }),
  createCheckout: (body: CreateCheckoutRequest) =>
    call<CreateCheckoutResponse>('POST', '/payments/create-checkout', { body }),
  getPaymentStatus: (sessionId: string, signal?: AbortSignal) =>
    call<PaymentStatus>('GET', `/payments/status/${encodeURIComponent(sessionId)}`, { signal }),
  getSubscription: (signal?: AbortSignal) =>
    call<UserSubscription>('GET', '/users/me/subscription', { signal }),
});

/** Calls that the billing service answers for operators. */
export const createAdminBillingApi = ({ callPaged }: Client) => ({
  listSubscriptions: (page: Page, signal?: AbortSignal) =>
    callPaged<AdminSubscription[]>('/admin/subscriptions', { query: page, signal }),
});
