import { createError } from '@daylift/server/error';

export const UnknownSignup = createError(
  'UNKNOWN_SIGNUP',
  'Signup not found. Please sign up first.',
  404,
);
export const OriginRefused = createError(
  'ORIGIN_REFUSED',
  'Payments can only be started from our own site.',
  400,
);
export const AlreadySubscribed = createError(
  'ALREADY_SUBSCRIBED',
  'This account already has a subscription. Please sign in.',
  409,
);
export const StillSubscribed = createError(
  'STILL_SUBSCRIBED',
  'You already have a subscription. You can change it on your dashboard.',
  409,
);
export const SignupTooOld = createError(
  'SIGNUP_TOO_OLD',
  'This signup is more than a day old. Please sign in to continue.',
  409,
);
export const CheckoutUnavailable = createError(
  'CHECKOUT_UNAVAILABLE',
  "The payment page can't be opened right now. Please try again in a moment.",
  503,
);
export const UnknownSession = createError('UNKNOWN_SESSION', 'Payment not found.', 404);
export const PaymentUnavailable = createError(
  'PAYMENT_UNAVAILABLE',
  "We can't process your payment right now. Please try again in a moment.",
  503,
);
export const UnknownUser = createError('UNKNOWN_USER', 'Account not found.', 404);
export const BadSignature = createError('BAD_SIGNATURE', 'The webhook signature is invalid.', 400);
export const NoSubscription = createError(
  'NO_SUBSCRIPTION',
  "You don't have a subscription. You can start one on your dashboard.",
  409,
);
export const PaymentOwed = createError(
  'PAYMENT_OWED',
  "Your last payment didn't go through. Please update your card first.",
  409,
);
export const TrialOver = createError(
  'TRIAL_OVER',
  'Your trial has already ended. You can switch plans instead.',
  409,
);
export const EndsSoon = createError(
  'ENDS_SOON',
  'Your subscription is set to end. Undo the cancellation first, then switch.',
  409,
);
export const BillUnderWay = createError(
  'BILL_UNDER_WAY',
  'Your renewal is being charged right now. Please try again in an hour or two.',
  409,
);
export const SamePlan = createError('SAME_PLAN', 'You already have this plan.', 409);
export const PriceChanged = createError(
  'PRICE_CHANGED',
  'The amount has changed. Please check it and confirm again.',
  409,
);
export const CardDeclined = createError(
  'CARD_DECLINED',
  "Your card was declined. You weren't charged, and your plan hasn't changed. Please check your card and try again.",
  402,
);
export const PlanUnavailable = createError(
  'PLAN_UNAVAILABLE',
  "We can't reach the payment provider right now. Please check your plan in a moment, then try again.",
  503,
);
export const NoCustomer = createError(
  'NO_CUSTOMER',
  "You don't have a card or invoices yet. Please choose a plan first.",
  409,
);
export const PortalUnavailable = createError(
  'PORTAL_UNAVAILABLE',
  "The page for your card and invoices can't be opened right now. Please try again in a moment.",
  503,
);
