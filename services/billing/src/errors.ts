import { badRequest, conflict, createError, notFound, unavailable } from '@daylift/server/error';

export const UnknownSignup = notFound('UNKNOWN_SIGNUP', 'Signup not found. Please sign up first.');
export const OriginRefused = badRequest(
  'ORIGIN_REFUSED',
  'Payments can only be started from our own site.',
);
export const AlreadySubscribed = conflict(
  'ALREADY_SUBSCRIBED',
  'This account already has a subscription. Please sign in.',
);
export const StillSubscribed = conflict(
  'STILL_SUBSCRIBED',
  'You already have a subscription. You can change it on your dashboard.',
);
export const SignupTooOld = conflict(
  'SIGNUP_TOO_OLD',
  'This signup is more than a day old. Please sign in to continue.',
);
export const CheckoutUnavailable = unavailable(
  'CHECKOUT_UNAVAILABLE',
  "The payment page can't be opened right now. Please try again in a moment.",
);
export const UnknownSession = notFound('UNKNOWN_SESSION', 'Payment not found.');
export const PaymentUnavailable = unavailable(
  'PAYMENT_UNAVAILABLE',
  "We can't process your payment right now. Please try again in a moment.",
);
export const UnknownInvoice = notFound('UNKNOWN_INVOICE', 'Invoice not found.');
export const InvoiceUnavailable = unavailable(
  'INVOICE_UNAVAILABLE',
  "We can't get your invoice right now. Please try again in a moment.",
);
export const UnknownUser = notFound('UNKNOWN_USER', 'Account not found.');
export const BadSignature = badRequest('BAD_SIGNATURE', 'The webhook signature is invalid.');
export const NoSubscription = conflict(
  'NO_SUBSCRIPTION',
  "You don't have a subscription. You can start one on your dashboard.",
);
export const CancelLinkInvalid = badRequest(
  'CANCEL_LINK_NOT_GOOD',
  'This link no longer works. Please sign in to see or cancel your plan.',
);
export const PaymentOwed = conflict(
  'PAYMENT_OWED',
  "Your last payment didn't go through. Please update your card first.",
);
export const TrialOver = conflict(
  'TRIAL_OVER',
  'Your trial has already ended. You can switch plans instead.',
);
export const StillFree = conflict(
  'STILL_FREE',
  'You still have free texts. You can upgrade once they end.',
);
export const EndsSoon = conflict(
  'ENDS_SOON',
  'Your subscription is set to end. Undo the cancellation first, then switch.',
);
export const PlanOnHold = conflict(
  'PLAN_ON_HOLD',
  "A payment for your plan is being reviewed or was returned, so you can't change your plan right now. Please contact us if you need help.",
);
export const BillUnderWay = conflict(
  'BILL_UNDER_WAY',
  'Your renewal is being charged right now. Please try again in an hour or two.',
);
export const SamePlan = conflict('SAME_PLAN', 'You already have this plan.');
export const PriceChanged = conflict(
  'PRICE_CHANGED',
  'The amount has changed. Please check it and confirm again.',
);
export const NoPriceChange = conflict(
  'NO_PRICE_CHANGE',
  "Your plan's price isn't changing anymore. Reload the page to see it.",
);
export const PricesChanged = conflict(
  'PRICES_CHANGED',
  'The price for new customers has changed. Reload the page and check the numbers.',
);
export const NothingToMove = conflict(
  'NOTHING_TO_MOVE',
  'No subscriber pays this price anymore. Reload the page to see the current numbers.',
);
export const CardDeclined = createError(
  'CARD_DECLINED',
  "Your card was declined. You weren't charged, and your plan hasn't changed. Please check your card and try again.",
  402,
);
export const NothingOwed = conflict('NOTHING_OWED', 'There is nothing left to pay.');
export const PaymentDeclined = createError(
  'PAYMENT_DECLINED',
  'Your card was declined, and the payment is still due. Please update your card, or try again later.',
  402,
);
export const PaymentUnconfirmed = createError(
  'PAYMENT_UNCONFIRMED',
  "Your bank needs you to confirm this payment, so you haven't been charged yet. Please choose Confirm Payment on your dashboard.",
  402,
);
export const PlanUnavailable = unavailable(
  'PLAN_UNAVAILABLE',
  "We can't reach the payment provider right now. Please check your plan in a moment, then try again.",
);
export const NoCustomer = conflict(
  'NO_CUSTOMER',
  "You don't have a card or invoices yet. Please choose a plan first.",
);
export const PortalUnavailable = unavailable(
  'PORTAL_UNAVAILABLE',
  "The page for your card and invoices can't be opened right now. Please try again in a moment.",
);

export const RequestKeyReused = conflict(
  'REQUEST_KEY_REUSED',
  'This request was already submitted with different details. Reload the page and try again.',
);
export const NothingToRefund = conflict(
  'NOTHING_TO_REFUND',
  'Nothing is left to refund on this invoice. Reload the page to see its refunds.',
);
export const RefundTooHigh = conflict(
  'REFUND_TOO_HIGH',
  'Only %s of this payment is left to refund.',
);
export const OverOperatorLimit = createError(
  'OVER_OPERATOR_LIMIT',
  'Operators can give one subscriber up to %s in 30 days. Ask an owner to do this.',
  403,
);
export const NoPlanToChange = conflict(
  'NO_PLAN_TO_CHANGE',
  'This subscriber has no current trial or plan. To send them texts anyway, give free access.',
);
export const NotInTrial = conflict(
  'NOT_IN_TRIAL',
  "This subscriber isn't in a free trial. Give free days instead.",
);
export const InTrial = conflict(
  'IN_TRIAL',
  'This subscriber is in a free trial. Extend the trial instead.',
);
export const PaymentOverdue = conflict(
  'PAYMENT_OVERDUE',
  "A payment is overdue. Wait until it's paid, or cancel the plan first.",
);
export const AccessIsLonger = conflict(
  'ACCESS_IS_LONGER',
  'This subscriber already has access through %s. Choose a later date.',
);
export const DateTooFar = conflict('DATE_TOO_FAR', 'Choose a date within the next two years.');
export const AlreadyCanceled = conflict(
  'ALREADY_CANCELED',
  'The plan is already set to end. To end it today, choose "Now".',
);
export const NoProviderCustomer = conflict(
  'NO_PROVIDER_CUSTOMER',
  'This subscriber has never had an invoice, so credit has no effect. Give free access instead.',
);
export const FreeTimePending = conflict(
  'FREE_TIME_PENDING',
  "This subscriber is already being given free time. Wait until that's done, then reload the page and try again.",
);
export const StaffActionFailed = conflict('STAFF_ACTION_FAILED', '%s');
export const PromotionUnknown = conflict(
  'PROMOTION_UNKNOWN',
  "We don't know this code. Check its spelling, or continue without it.",
);
export const PromotionOver = conflict(
  'PROMOTION_OVER',
  'This code has expired. You can continue without it.',
);
export const PromotionUsedUp = conflict(
  'PROMOTION_USED_UP',
  'This code has been used up. You can continue without it.',
);
export const PromotionForOtherPlan = conflict(
  'PROMOTION_FOR_OTHER_PLAN',
  'This code only works for the %s plan. Choose that plan, or continue without the code.',
);
export const CurrencyNotSold = conflict(
  'CURRENCY_NOT_SOLD',
  "We don't sell gifts in this currency anymore. Reload the page for current prices.",
);
export const PromotionForOtherCurrency = conflict(
  'PROMOTION_FOR_OTHER_CURRENCY',
  'This code only works for payments in %s. You can continue without it.',
);
export const PromotionAlreadyUsed = conflict(
  'PROMOTION_ALREADY_USED',
  "You've already used this code. You can continue without it.",
);
export const PromotionForNewCustomers = conflict(
  'PROMOTION_FOR_NEW_CUSTOMERS',
  'This code is only for new subscribers. You can continue without it.',
);
export const PromotionAfterFreeTime = conflict(
  'PROMOTION_AFTER_FREE_TIME',
  "This code can't be used during free texts. Use it when they have ended, or continue without it.",
);
export const UnknownMove = notFound('UNKNOWN_MOVE', 'Price move not found.');
export const UnknownPromotion = notFound('UNKNOWN_PROMOTION', 'Promotion code not found.');
export const PromotionCodeTaken = conflict(
  'PROMOTION_CODE_TAKEN',
  'Another active promotion has this code. Choose another code, or deactivate that one first.',
);
export const PromotionInPast = conflict(
  'PROMOTION_IN_PAST',
  'The last day is in the past. Choose today or a later day.',
);
export const PromotionTooLarge = badRequest('PROMOTION_TOO_LARGE', 'Enter %s or less.');
export const PromotionTooSmall = conflict(
  'PROMOTION_TOO_SMALL',
  'This leaves %s to pay, less than the smallest charge of %s. Choose a smaller discount, or 100%.',
);
export const GiftUnknown = notFound(
  'GIFT_UNKNOWN',
  "We couldn't find this gift. Please check that you opened the full link.",
);
export const GiftUsed = conflict('GIFT_USED', 'This gift has already been redeemed.');
export const GiftVoid = conflict(
  'GIFT_VOID',
  'This gift was canceled. Please ask the person who gave it to you.',
);
export const GiftRefunded = conflict(
  'GIFT_REFUNDED',
  "This gift was refunded, so it can't be redeemed.",
);
export const GiftDisputed = conflict(
  'GIFT_DISPUTED',
  "The payment for this gift was disputed, so it can't be redeemed.",
);
export const GiftNeedsSignIn = conflict(
  'GIFT_NEEDS_SIGN_IN',
  'This account already has a plan, or was created too long ago. Please sign in to redeem the gift.',
);
export const GiftPaymentOverdue = conflict(
  'GIFT_PAYMENT_OVERDUE',
  'A payment for your plan is overdue. Please pay it or cancel your plan, then redeem the gift.',
);
export const GiftTooLong = conflict(
  'GIFT_TOO_LONG',
  "Free texts can't run more than two years from today. Keep the link and redeem it later; it doesn't expire.",
);
export const TooManyGifts = conflict(
  'TOO_MANY_GIFTS',
  "We can't open another gift checkout for this email right now. Please try again in an hour.",
);
export const UnknownGift = notFound('UNKNOWN_GIFT', 'Gift not found.');
export const GiftBuyerErased = conflict(
  'GIFT_BUYER_ERASED',
  "The buyer's email was erased, so the link can't be sent again.",
);
export const InvalidRange = createError(
  'INVALID_RANGE',
  'Choose a range of up to %s days, with the last day on or after the first.',
  400,
);
