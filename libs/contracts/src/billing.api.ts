import { ExportPart } from './accounts.http.ts';
import {
  AdminSubscriptionList,
  ChangePlanRequest,
  CreateCheckoutRequest,
  CreateCheckoutResponse,
  PaymentStatus,
  PaymentStatusParams,
  PlanPreview,
  PlanPreviewQuery,
  PlanView,
  PortalRequest,
  PortalResponse,
  PublicCatalogue,
  ReferralFigures,
  UserInvoiceList,
  UserSubscription,
} from './billing.http.ts';
import { defineApi } from './endpoint.ts';
import { failedEndpoints } from './failed.api.ts';
import { IdParams, Page } from './fields.ts';
import { SubscriptionDayList, SubscriptionDaysQuery } from './figures.http.ts';
import { BillingLive } from './live.http.ts';
import { AdminSubscription } from './timeline.http.ts';
import {
  BillingPart,
  DayParams,
  DaySpan,
  Standing,
  StandingQuery,
  TimelinePartQuery,
} from './timeline-parts.http.ts';
import { Received } from './webhook.ts';

export const billingApi = defineApi('billing', {
  'GET /plans': {
    access: 'public',
    summary: 'Plans, prices and the length of the trial',
    response: PublicCatalogue,
  },
  'POST /payments/create-checkout': {
    access: 'visitor',
    rate: 'checkout',
    summary: 'Open the payment page for a signup',
    body: CreateCheckoutRequest,
    response: CreateCheckoutResponse,
    errors: [404, 409],
    slow: true,
  },
  'GET /payments/status/:session_id': {
    access: 'public',
    rate: 'payment-status',
    summary: 'Whether a checkout has been paid',
    params: PaymentStatusParams,
    response: PaymentStatus,
    errors: [404],
  },
  'GET /users/me/subscription': {
    access: 'user',
    summary: 'State of the subscription',
    response: UserSubscription,
    errors: [404],
  },
  'GET /users/me/plan': {
    access: 'user',
    summary: 'Plan, next charge, credit, card, and the changes available now',
    response: PlanView,
    errors: [404],
  },
  'GET /users/me/plan/preview': {
    access: 'user',
    rate: 'checkout',
    summary: 'What an upgrade or a switch would cost',
    query: PlanPreviewQuery,
    response: PlanPreview,
    errors: [402, 404, 409],
    slow: true,
  },
  'POST /users/me/plan/upgrade': {
    access: 'user',
    rate: 'checkout',
    summary: 'End the trial now and pay',
    body: ChangePlanRequest,
    response: PlanView,
    errors: [402, 404, 409],
    slow: true,
  },
  'POST /users/me/plan/switch': {
    access: 'user',
    rate: 'checkout',
    summary: 'Switch to the other plan',
    body: ChangePlanRequest,
    response: PlanView,
    errors: [402, 404, 409],
    slow: true,
  },
  'POST /users/me/plan/cancel': {
    access: 'user',
    rate: 'checkout',
    summary: 'Cancel at the end of the period',
    response: PlanView,
    errors: [404, 409],
    slow: true,
  },
  'POST /users/me/plan/undo-cancel': {
    access: 'user',
    rate: 'checkout',
    summary: 'Undo a cancellation',
    response: PlanView,
    errors: [404, 409],
    slow: true,
  },
  'POST /users/me/plan/portal': {
    access: 'user',
    rate: 'checkout',
    summary: 'Open the page for card and invoices',
    body: PortalRequest,
    response: PortalResponse,
    errors: [404, 409],
  },
  'GET /users/me/invoices': {
    access: 'user',
    summary: 'Invoices, newest first',
    response: UserInvoiceList,
  },
  'GET /users/me/referrals': {
    access: 'user',
    summary: 'Friends who joined, and the credit earned',
    response: ReferralFigures,
    errors: [404],
  },
  'GET /admin/subscriptions': {
    access: 'viewer',
    summary: 'All subscriptions',
    query: Page,
    response: AdminSubscriptionList,
    paged: true,
  },
  'GET /admin/subscriptions/figures': {
    access: 'viewer',
    summary: 'Trials, first payments and churn, day by day',
    query: SubscriptionDaysQuery,
    response: SubscriptionDayList,
  },
  'POST /webhooks/stripe': { access: 'webhook', rate: 'none', response: Received },
  'GET /internal/analytics/billing': { access: 'internal', response: BillingLive },
  'GET /internal/live': { access: 'internal', response: BillingLive },
  'GET /internal/export/:id': { access: 'internal', params: IdParams, response: ExportPart },
  'GET /internal/timeline/:id': {
    access: 'internal',
    params: IdParams,
    query: TimelinePartQuery,
    response: BillingPart,
  },
  'GET /internal/days/:id/:date': {
    access: 'internal',
    params: DayParams,
    query: DaySpan,
    response: BillingPart,
  },
  'GET /internal/standing/:id': {
    access: 'internal',
    params: IdParams,
    query: StandingQuery,
    response: Standing,
  },
  'GET /internal/subscriptions/:id': {
    access: 'internal',
    params: IdParams,
    response: AdminSubscription,
    errors: [404],
  },
  ...failedEndpoints('billing'),
});
