import { type Static, Type } from 'typebox';
import {
  Count,
  Currency,
  Id,
  IdList,
  Instant,
  LocalDate,
  Nullable,
  OneOf,
  PlanId,
  ShownStatus,
  StrictObject,
  SubscriptionStatus,
} from './fields.ts';
import { PromotionCode } from './promotions.http.ts';

/** The default currency unless one is given. */
export const CatalogueQuery = Type.Object({ currency: Type.Optional(Currency) });

export const PublicCatalogue = Type.Object({
  product_name: Type.String(),
  support_email: Type.String(),
  company_name: Type.String(),
  /** When the current terms and privacy policy took effect. */
  terms_effective_date: LocalDate,
  refund_policy: Type.String(),
  /** Countries whose phone numbers can sign up, as ISO 3166 codes. */
  countries: Type.Array(
    Type.Object({
      country: Type.String(),
      calling_code: Type.String(),
      /** What subscribers there pay in, if it isn't the default currency. */
      currency: Type.Optional(Currency),
    }),
  ),
  currency: Currency,
  /** Whether tax is added to the prices, by the customer's address. */
  plus_tax: Type.Optional(Type.Boolean()),
  trial_days: Count,
  referral_credit_cents: Count,
  /** Maximum days without a text credited per month; 0 if credits are off. */
  lost_days_per_month: Count,
  plans: Type.Array(
    Type.Object({
      id: PlanId,
      name: Type.String(),
      price_cents: Count,
      /** `month`, `year`, or a length such as `3 months`. */
      interval: Type.String(),
      /** Compared with twelve monthly payments, in whole percent; 0 for monthly. */
      saving_percent: Count,
    }),
  ),
});
export type PublicCatalogue = Static<typeof PublicCatalogue>;

export const CreateCheckoutRequest = StrictObject({
  subscription_id: Id,
  plan: PlanId,
  origin_url: Type.String({ minLength: 1, maxLength: 300 }),
  promotion_code: Type.Optional(PromotionCode),
});
export type CreateCheckoutRequest = Static<typeof CreateCheckoutRequest>;
export const CreateCheckoutResponse = Type.Object({
  url: Type.String(),
  session_id: Type.String(),
  /** 0 after an earlier trial: the plan starts paid. */
  trial_days: Count,
  /** What the plan is paid in. The page may have shown another. */
  currency: Type.Optional(Currency),
});
export type CreateCheckoutResponse = Static<typeof CreateCheckoutResponse>;

export const PaymentStatusParams = Type.Object({
  session_id: Type.String({ minLength: 1, maxLength: 300 }),
});
export const PaymentStatus = Type.Object({
  payment_status: OneOf('paid', 'pending', 'expired', 'unpaid'),
  trial: Type.Optional(Type.Boolean()),
  /** Length of the trial, if a promotion code made it longer. */
  trial_days: Type.Optional(Count),
  /** End of the free texts that the plan is first charged after. */
  first_charge_at: Type.Optional(Instant),
  /** With `pending`: the checkout is still open because no card was entered. */
  open: Type.Optional(Type.Literal(true)),
});
export type PaymentStatus = Static<typeof PaymentStatus>;

export const UserSubscription = Type.Object({
  status: SubscriptionStatus,
  plan: PlanId,
  trial_end_date: Nullable(Instant),
  current_period_end: Nullable(Instant),
  cancel_at_period_end: Type.Boolean(),
});
export type UserSubscription = Static<typeof UserSubscription>;

/** `checkout`: a trial without a card continues with a paid checkout. */
const PlanAction = OneOf('upgrade', 'switch', 'cancel', 'undo_cancel', 'portal', 'checkout', 'pay');
export type PlanAction = Static<typeof PlanAction>;

/** A failed payment. `card_declined`: the card on file was declined. */
const OwedPayment = Type.Object({
  amount_cents: Count,
  since: Instant,
  /** When texts stop unless it is paid; null once they have stopped. */
  texts_until: Nullable(Instant),
  card_declined: Type.Boolean(),
  /** The provider's page for confirming the payment, if the bank requires it. Missing from the previous version of billing. */
  confirm_url: Type.Optional(Nullable(Type.String())),
});

/**
 * Why a subscription's payments entitle to no texts. `disputed`: the bank is reviewing one; `lost`: it returned one;
 * `refunded`: we refunded one.
 */
const PlanHold = OneOf('disputed', 'lost', 'refunded');

/** Current plan; every call that changes it returns it. Amounts are in cents of `currency`. */
export const PlanView = Type.Object({
  status: SubscriptionStatus,
  plan: PlanId,
  price_cents: Count,
  /** The price of a code that still applies, in words. */
  offer: Type.Optional(Type.Object({ code: Type.String(), price: Type.String() })),
  /** An announced price. `declined`: the plan ends then instead. */
  price_change: Type.Optional(
    Type.Object({ to_cents: Count, at: Instant, declined: Type.Boolean() }),
  ),
  currency: Currency,
  trial_end_date: Nullable(Instant),
  current_period_end: Nullable(Instant),
  cancel_at_period_end: Type.Boolean(),
  /** `tax_cents`: included in the amount, if the subscription is taxed. */
  next_charge: Nullable(
    Type.Object({ at: Instant, amount_cents: Count, tax_cents: Type.Optional(Count) }),
  ),
  credit_cents: Count,
  /** End of free access given by staff. Missing from the previous version of billing. */
  free_until: Type.Optional(Nullable(Instant)),
  /** When a plan chosen now is first charged, if free access postpones that. */
  first_charge_at: Type.Optional(Instant),
  /** Days without a text that are credited on the next invoice. */
  lost_days: Nullable(Type.Object({ days: Count, credit_cents: Count })),
  card: Nullable(Type.Object({ brand: Type.String(), last4: Type.String() })),
  owed: Nullable(OwedPayment),
  /** Missing from the previous version. */
  hold: Type.Optional(Nullable(PlanHold)),
  actions: Type.Array(PlanAction),
  /** For pages of the previous version. */
  other_plan: Type.Optional(PlanId),
});
export type PlanView = Static<typeof PlanView>;

export const PlanPreviewQuery = StrictObject({
  action: OneOf('upgrade', 'switch'),
  plan: PlanId,
});
export const PlanPreview = Type.Object({
  plan: PlanId,
  charge_now_cents: Count,
  credit_cents: Count,
  next_charge: Nullable(Type.Object({ at: Instant, amount_cents: Count })),
  currency: Type.String(),
});
export type PlanPreview = Static<typeof PlanPreview>;

/**
 * For upgrade (ends the trial and charges) and switch. If `charge_now_cents`, the amount shown, has changed: 409
 * PRICE_CHANGED. If the card is declined: 402 CARD_DECLINED, and nothing changes.
 */
export const ChangePlanRequest = StrictObject({
  plan: PlanId,
  charge_now_cents: Type.Optional(Count),
});

/** If `charge_now_cents`, the amount shown, has changed: 409 PRICE_CHANGED. If declined: 402, and nothing changes. */
export const PayOwedRequest = StrictObject({ charge_now_cents: Type.Optional(Count) });

/** Without `accept`, the plan ends instead of renewing at an announced price. */
export const ChoosePriceRequest = StrictObject({ accept: Type.Boolean() });

/** The token of an emailed link, which needs no sign-in. */
export const CancelByLinkRequest = StrictObject({
  token: Type.String({ minLength: 1, maxLength: 300 }),
});
export const CanceledByLink = Type.Object({ ends_at: Instant });
export type CanceledByLink = Static<typeof CanceledByLink>;

export const PortalRequest = StrictObject({
  origin_url: Type.String({ minLength: 1, maxLength: 300 }),
});
export const PortalResponse = Type.Object({ url: Type.String() });

const InvoiceId = Type.String({ pattern: '^in_[A-Za-z0-9]{1,60}$' });
export const InvoicesQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 24 }),
  /** The last invoice of the previous page. */
  before: Type.Optional(InvoiceId),
});
export const InvoiceParams = Type.Object({ invoice_id: InvoiceId });
export const InvoicePdf = Type.Object({ url: Type.String() });

export const UserInvoice = Type.Object({
  id: Type.String(),
  issued_at: Instant,
  amount_cents: Type.Integer(),
  refunded_cents: Count,
  /** Credit applied, not included in the amount. */
  credit_cents: Count,
  /** Taken off by a promotion code, not included in the amount. */
  discount_cents: Type.Optional(Count),
  /** Included in the amount before credit. */
  tax_cents: Type.Optional(Type.Integer()),
  currency: Type.String(),
  status: OneOf('paid', 'open', 'refunded', 'void'),
  /** Company name, address and tax IDs on the invoice, if the subscriber added any. */
  billed_to: Type.Optional(Type.String()),
  /** Whether the bank is reviewing the payment or returned it. */
  dispute: Type.Optional(OneOf('open', 'lost')),
});
export type UserInvoice = Static<typeof UserInvoice>;
export const UserInvoiceList = Type.Array(UserInvoice);

/** `inquiry`: the bank asks for information before it withdraws any money. */
export const BilledDispute = Type.Object({
  id: Type.String(),
  amount_cents: Count,
  currency: Type.String(),
  state: OneOf('inquiry', 'open', 'won', 'lost', 'closed'),
  reason: Type.String(),
  created_at: Instant,
  /** When evidence is due. Null once it was submitted or if none is needed. */
  respond_by: Nullable(Instant),
});
export type BilledDispute = Static<typeof BilledDispute>;
/** `user_id` is null for a payment of an unknown customer. */
export const UnansweredDispute = Type.Object({
  ...BilledDispute.properties,
  user_id: Nullable(Id),
});
export const UnansweredDisputeList = Type.Array(UnansweredDispute);
export type UnansweredDisputeList = Static<typeof UnansweredDisputeList>;

export const ReferralFigures = Type.Object({
  pending: Count,
  successful: Count,
  earned_cents: Count,
  currency: Currency,
  /** Credit of any origin that no bill has used yet, and the bill that uses it first. */
  credit_cents: Count,
  next_bill_at: Nullable(Instant),
});
export type ReferralFigures = Static<typeof ReferralFigures>;

export const LostDaySettingsRequest = StrictObject({
  enabled: Type.Boolean(),
  max_days_per_month: Type.Integer({ minimum: 1, maximum: 31 }),
});
export type LostDaySettingsRequest = Static<typeof LostDaySettingsRequest>;
/** Settings for crediting days without a text, and what was credited this month. */
export const LostDaySettings = Type.Object({
  ...LostDaySettingsRequest.properties,
  this_month: Type.Object({
    days: Count,
    credit_cents: Count,
    currency: Type.String(),
    /** Credit in other currencies. */
    others: Type.Optional(
      Type.Array(Type.Object({ currency: Type.String(), credit_cents: Count })),
    ),
  }),
});
export type LostDaySettings = Static<typeof LostDaySettings>;

export const Reason = Type.String({ minLength: 3, maxLength: 500, pattern: '\\S' });
const staffRequest = {
  reason: Reason,
  /** Idempotency key. A repeated request returns the outcome of the first. */
  request_key: Id,
};
const AmountCents = Type.Integer({ minimum: 1, maximum: 1_000_000 });
const FreeDays = Type.Integer({ minimum: 1, maximum: 366 });

export const RefundRequest = StrictObject({
  invoice_id: InvoiceId,
  amount_cents: AmountCents,
  ...staffRequest,
});
export const CreditRequest = StrictObject({ amount_cents: AmountCents, ...staffRequest });
export const FreeDaysRequest = StrictObject({ days: FreeDays, ...staffRequest });
/** Free access through this date in the subscriber's time zone. */
export const FreeAccessRequest = StrictObject({ until: LocalDate, ...staffRequest });
export const StaffCancelRequest = StrictObject({
  when: OneOf('now', 'period_end'),
  ...staffRequest,
});

export const StaffActionKind = OneOf(
  'refund',
  'credit',
  'free_days',
  'extend_trial',
  'free_access',
  'cancel_now',
  'cancel_at_period_end',
);
export type StaffActionKind = Static<typeof StaffActionKind>;

/** `pending`: the provider hasn't confirmed it yet, and the task is retried until it does. */
export const StaffActionOutcome = Type.Object({ state: OneOf('done', 'pending') });
export type StaffActionOutcome = Static<typeof StaffActionOutcome>;

/** What this admin may do for a subscriber now. */
export const StaffOptions = Type.Object({
  kinds: Type.Array(StaffActionKind),
  /** What the admin may still give this subscriber. Null means unlimited. */
  left: Nullable(Type.Object({ cents: Count, days: Count })),
  refundable: Type.Array(
    Type.Object({
      invoice_id: Type.String(),
      paid_at: Instant,
      paid_cents: Count,
      left_cents: Count,
    }),
  ),
  currency: Type.String(),
  /** When free days would start: at the next charge or at the end of access. */
  access_until: Nullable(Instant),
  /** Whether free days move the next charge. */
  renews: Type.Boolean(),
  pending: Type.Array(StaffActionKind),
  /** The customer's page at the payment provider. */
  customer_url: Nullable(Type.String()),
});
export type StaffOptions = Static<typeof StaffOptions>;

/** `total` in units of the default currency, `total_cents` exact. */
export const BillingFigures = Type.Object({
  subscriptions: Type.Object({ active: Count, trial: Count }),
  revenue: Type.Object({
    total: Type.Number(),
    total_cents: Type.Integer(),
    /** In every currency. */
    transactions: Count,
    /** Revenue in currencies other than the default. */
    others: Type.Optional(
      Type.Array(Type.Object({ currency: Type.String(), total_cents: Type.Integer() })),
    ),
  }),
});
export type BillingFigures = Static<typeof BillingFigures>;

export const AdminSubscription = Type.Object({
  user_id: Id,
  status: ShownStatus,
  plan: PlanId,
  trial_end_date: Nullable(Instant),
  current_period_end: Nullable(Instant),
});
export type AdminSubscription = Static<typeof AdminSubscription>;
/** For accounts: its previous version stored subscriptions without their periods. */
export const RenewalsQuery = Type.Object({ ids: IdList });
export const Renewal = Type.Object({
  user_id: Id,
  period_end: Nullable(Instant),
  renews: Type.Boolean(),
});
export type Renewal = Static<typeof Renewal>;

export const AdminSubscriptionList = Type.Array(AdminSubscription);
