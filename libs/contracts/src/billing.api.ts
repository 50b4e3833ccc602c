import { Type } from 'typebox';
import { ExportPart } from './accounts.http.ts';
import {
  AdminSubscriptionList,
  CancelByLinkRequest,
  CanceledByLink,
  CatalogueQuery,
  ChangePlanRequest,
  ChoosePriceRequest,
  CreateCheckoutRequest,
  CreateCheckoutResponse,
  CreditRequest,
  FreeAccessRequest,
  FreeDaysRequest,
  InvoiceParams,
  InvoicePdf,
  InvoicesQuery,
  LostDaySettings,
  LostDaySettingsRequest,
  PaymentStatus,
  PaymentStatusParams,
  PayOwedRequest,
  PlanPreview,
  PlanPreviewQuery,
  PlanView,
  PortalRequest,
  PortalResponse,
  PublicCatalogue,
  ReferralFigures,
  RefundRequest,
  Renewal,
  RenewalsQuery,
  StaffActionOutcome,
  StaffCancelRequest,
  StaffOptions,
  UnansweredDisputeList,
  UserInvoiceList,
  UserSubscription,
} from './billing.http.ts';
import { Business, BusinessQuery } from './business.http.ts';
import { anyone, defineApi, operator, owner, user, viewer, visitor } from './endpoint.ts';
import { failedEndpoints } from './failed.api.ts';
import { Page } from './fields.ts';
import { SubscriptionDayList, SubscriptionDaysQuery } from './figures.http.ts';
import {
  BuyGiftRequest,
  EraseBuyerRequest,
  Gift,
  GiftCheckout,
  GiftList,
  GiftOffer,
  ReadGiftRequest,
  RedeemedGift,
  RedeemGiftRequest,
} from './gifts.http.ts';
import { BillingLive } from './live.http.ts';
import { MovePricesRequest, PriceMoves, StopMoveRequest } from './price-moves.http.ts';
import {
  CreatePromotionRequest,
  OfferQuery,
  Promotion,
  PromotionList,
  PromotionOffer,
  PromotionParams,
} from './promotions.http.ts';
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

const staffAction = {
  response: StaffActionOutcome,
  errors: [403, 409] as const,
  slow: true as const,
};

export const billingApi = defineApi('billing', {
  'GET /plans': anyone('Plans, prices and the length of the trial', {
    query: CatalogueQuery,
    response: PublicCatalogue,
  }),
  'POST /payments/create-checkout': visitor('Open the payment page for a signup', {
    rate: 'checkout',
    body: CreateCheckoutRequest,
    response: CreateCheckoutResponse,
    errors: [404, 409],
    slow: true,
  }),
  'GET /promotions/:code': anyone('Check a promotion code; returns the price it gives', {
    rate: 'promotion',
    params: PromotionParams,
    query: OfferQuery,
    response: PromotionOffer,
    errors: [409],
  }),
  'POST /gifts/checkout': anyone('Open the payment page for a gift', {
    rate: 'checkout',
    body: BuyGiftRequest,
    response: GiftCheckout,
    errors: [409],
    slow: true,
  }),
  'POST /gifts/read': anyone('Read a gift by its code', {
    rate: 'promotion',
    body: ReadGiftRequest,
    response: GiftOffer,
    errors: [404, 409],
  }),
  'POST /gifts/redeem': visitor('Redeem a gift for a new signup, or for the signed-in subscriber', {
    rate: 'checkout',
    body: RedeemGiftRequest,
    response: RedeemedGift,
    errors: [404, 409],
  }),
  'GET /payments/status/:session_id': anyone('Whether a checkout has been paid', {
    rate: 'payment-status',
    params: PaymentStatusParams,
    response: PaymentStatus,
  }),
  'GET /users/me/subscription': user('Status of the subscription', {
    response: UserSubscription,
    errors: [404],
  }),
  'GET /users/me/plan': user('Plan, next charge, credit, card, and the changes available now', {
    response: PlanView,
    errors: [404],
  }),
  'GET /users/me/plan/preview': user('What an upgrade or a switch would cost', {
    rate: 'checkout',
    query: PlanPreviewQuery,
    response: PlanPreview,
    errors: [402, 404, 409],
    slow: true,
  }),
  'POST /users/me/plan/upgrade': user('End the trial now and pay', {
    rate: 'checkout',
    body: ChangePlanRequest,
    response: PlanView,
    errors: [402, 404, 409],
    slow: true,
  }),
  'POST /users/me/plan/switch': user('Switch to the other plan', {
    rate: 'checkout',
    body: ChangePlanRequest,
    response: PlanView,
    errors: [402, 404, 409],
    slow: true,
  }),
  'POST /users/me/plan/cancel': user('Cancel at the end of the period', {
    rate: 'checkout',
    response: PlanView,
    errors: [404, 409],
    slow: true,
  }),
  'POST /plans/cancel': anyone('Cancel a trial, or decline a new price, with an emailed link', {
    rate: 'checkout',
    body: CancelByLinkRequest,
    response: CanceledByLink,
    errors: [404, 409],
    slow: true,
  }),
  'POST /users/me/plan/undo-cancel': user('Undo a cancellation', {
    rate: 'checkout',
    response: PlanView,
    errors: [404, 409],
    slow: true,
  }),
  'POST /users/me/plan/pay': user('Pay what is owed after a failed payment', {
    rate: 'checkout',
    body: PayOwedRequest,
    response: PlanView,
    errors: [402, 404, 409],
    slow: true,
  }),
  'POST /users/me/plan/price': user('Accept an announced price, or end the plan instead', {
    rate: 'checkout',
    body: ChoosePriceRequest,
    response: PlanView,
    errors: [404, 409],
    slow: true,
  }),
  'POST /users/me/plan/portal': user('Open the page for card, invoices and billing details', {
    rate: 'checkout',
    body: PortalRequest,
    response: PortalResponse,
    errors: [404, 409],
  }),
  'GET /users/me/invoices': user('Invoices, newest first', {
    query: InvoicesQuery,
    response: UserInvoiceList,
  }),
  'GET /users/me/invoices/:invoice_id/pdf': user('URL of an invoice PDF', {
    rate: 'checkout',
    params: InvoiceParams,
    response: InvoicePdf,
    errors: [404],
  }),
  'GET /users/me/referrals': user('Friends who joined, and the credit earned', {
    response: ReferralFigures,
    errors: [404],
  }),
  'GET /admin/subscriptions': viewer('All subscriptions', {
    query: Page,
    response: AdminSubscriptionList,
    paged: true,
  }),
  'GET /admin/subscriptions/figures': viewer('Trials, first payments and churn, day by day', {
    query: SubscriptionDaysQuery,
    response: SubscriptionDayList,
  }),
  'GET /admin/business': viewer('Business figures, compared with the previous range', {
    query: BusinessQuery,
    response: Business,
  }),
  'GET /admin/subscriptions/:id/options': operator('Staff actions available for a subscriber', {
    response: StaffOptions,
  }),
  'POST /admin/subscriptions/:id/refund': operator('Refund a payment, in full or in part', {
    body: RefundRequest,
    ...staffAction,
  }),
  'POST /admin/subscriptions/:id/credit': operator('Give credit on the next invoice', {
    body: CreditRequest,
    ...staffAction,
  }),
  'POST /admin/subscriptions/:id/free-days': operator(
    'Give free days, which move the next charge or the end of access',
    {
      body: FreeDaysRequest,
      ...staffAction,
    },
  ),
  'POST /admin/subscriptions/:id/extend-trial': operator('Extend a free trial', {
    body: FreeDaysRequest,
    ...staffAction,
  }),
  'POST /admin/subscriptions/:id/free-access': operator('Give free access through a date', {
    body: FreeAccessRequest,
    ...staffAction,
  }),
  'POST /admin/subscriptions/:id/cancel': operator('Cancel now or at the end of the period', {
    body: StaffCancelRequest,
    ...staffAction,
  }),
  'GET /admin/price-moves': owner('Subscribers who pay an earlier price, and moves so far', {
    response: PriceMoves,
  }),
  'POST /admin/price-moves': owner('Move existing subscribers to the price for new customers', {
    body: MovePricesRequest,
    response: PriceMoves,
    errors: [409],
    slow: true,
  }),
  'POST /admin/price-moves/:id/stop': owner(
    'Stop a price move; those without the new price keep theirs',
    {
      body: StopMoveRequest,
      response: PriceMoves,
    },
  ),
  'GET /admin/promotions': viewer('Promotion codes with their uses and revenue, newest first', {
    query: Page,
    response: PromotionList,
    paged: true,
  }),
  'POST /admin/promotions': operator('Create a promotion code', {
    body: CreatePromotionRequest,
    response: Promotion,
    errors: [403, 409],
  }),
  'POST /admin/promotions/:id/deactivate': operator('End a promotion code for new checkouts', {
    response: Promotion,
  }),
  'GET /admin/gifts': viewer('Paid gifts, newest first', {
    query: Page,
    response: GiftList,
    paged: true,
  }),
  'POST /admin/gifts/:id/resend': operator("Email a gift's link to its buyer again", {
    response: Gift,
    errors: [409],
  }),
  'POST /admin/gifts/:id/void': operator('Void a gift that no one has redeemed', {
    response: Gift,
    errors: [409],
  }),
  'POST /admin/gifts/:id/erase-buyer': owner("Erase a gift's buyer from every gift they bought", {
    body: EraseBuyerRequest,
    response: Gift,
  }),
  'GET /admin/disputes': viewer('Disputed payments that need evidence, most urgent first', {
    response: UnansweredDisputeList,
  }),
  'GET /admin/settings/lost-days': viewer('Credit for days without a text', {
    response: LostDaySettings,
  }),
  'POST /admin/settings/lost-days': owner('Change the credit for days without a text', {
    body: LostDaySettingsRequest,
    response: LostDaySettings,
  }),
  'POST /webhooks/stripe': { access: 'webhook', rate: 'none', response: Received },
  'GET /internal/analytics/billing': { access: 'internal', response: BillingLive },
  'GET /internal/live': { access: 'internal', response: BillingLive },
  'GET /internal/export/:id': { access: 'internal', response: ExportPart },
  'GET /internal/timeline/:id': {
    access: 'internal',
    query: TimelinePartQuery,
    response: BillingPart,
  },
  'GET /internal/days/:id/:date': {
    access: 'internal',
    params: DayParams,
    query: DaySpan,
    response: BillingPart,
  },
  'GET /internal/renewals': {
    access: 'internal',
    query: RenewalsQuery,
    response: Type.Array(Renewal),
  },
  'GET /internal/standing/:id': { access: 'internal', query: StandingQuery, response: Standing },
  'GET /internal/subscriptions/:id': { access: 'internal', response: AdminSubscription },
  ...failedEndpoints('billing'),
});
