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
