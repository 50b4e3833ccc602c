import { createError } from '@daylift/server/error';

export const UnknownSignup = createError(
  'UNKNOWN_SIGNUP',
  'There is no such signup. Please sign up first.',
  404,
);
export const OriginRefused = createError(
  'ORIGIN_REFUSED',
  'Payments can only be started from our own pages.',
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
  'This signup is more than a day old. Please sign in to go on.',
  409,
);
export const CheckoutUnavailable = createError(
  'CHECKOUT_UNAVAILABLE',
  "The payment page can't be opened right now. Please try again in a moment.",
  503,
);
export const UnknownSession = createError('UNKNOWN_SESSION', 'There is no such payment.', 404);
export const PaymentUnavailable = createError(
  'PAYMENT_UNAVAILABLE',
  "We can't ask for your payment right now. Please try again in a moment.",
  503,
);
export const UnknownUser = createError('UNKNOWN_USER', 'There is no such account.', 404);
export const BadSignature = createError(
  'BAD_SIGNATURE',
  'The signature of this event does not fit.',
  400,
);
export const NoSubscription = createError(
  'NO_SUBSCRIPTION',
  'There is no subscription to change. You can start one on your dashboard.',
  409,
);
export const PaymentOwed = createError(
  'PAYMENT_OWED',
  'Your last payment did not go through. Please update your card first.',
  409,
);
export const TrialOver = createError(
  'TRIAL_OVER',
  'Your trial is over already. You can switch the plan instead.',
  409,
);
export const EndsSoon = createError(
  'ENDS_SOON',
  'Your subscription is set to end. Undo the cancellation first, then switch.',
  409,
);
export const BillUnderWay = createError(
  'BILL_UNDER_WAY',
  'Your renewal is being charged just now. Please try again in an hour or two.',
  409,
);
export const SamePlan = createError('SAME_PLAN', 'You have this plan already.', 409);
export const PriceChanged = createError(
  'PRICE_CHANGED',
  'The amount has changed since it was shown. Please look at it again.',
  409,
);
export const CardDeclined = createError(
  'CARD_DECLINED',
  'Your card was declined. Nothing was charged and nothing has changed. Please check your card and try again.',
  402,
);
export const PlanUnavailable = createError(
  'PLAN_UNAVAILABLE',
  "We can't reach the payment provider right now. Please look at your plan in a moment, then try again.",
  503,
);
export const NoCustomer = createError(
  'NO_CUSTOMER',
  'There is no card or invoice yet. Please choose a plan first.',
  409,
);
export const PortalUnavailable = createError(
  'PORTAL_UNAVAILABLE',
  "The page for your card and invoices can't be opened right now. Please try again in a moment.",
  503,
);
