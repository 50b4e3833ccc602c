import { createError } from '@daylift/server/error';

export const NothingHere = createError('NOT_FOUND', 'There is nothing at this address.', 404);
export const UnknownHost = createError(
  'UNKNOWN_HOST',
  'No site is served under this host name. To serve one, add the name to ALLOWED_HOSTS.',
  421,
);
export const PasswordChangeRequired = createError(
  'PASSWORD_CHANGE_REQUIRED',
  'Please choose a password of your own first.',
  403,
);
export const TooManyRequests = createError(
  'TOO_MANY_REQUESTS',
  'Too many requests. Please try again in %s.',
  429,
);
export const PartUnavailable = createError(
  'PART_UNAVAILABLE',
  'This part of %s is not available right now. Please try again.',
  503,
);
export const PartTooSlow = createError(
  'PART_TOO_SLOW',
  'This part of %s takes too long to answer. Please look whether it was done before you try again.',
  503,
);
export const TooManyWindows = createError(
  'TOO_MANY_WINDOWS',
  'Too many windows are open. Please close some.',
  429,
);
export const SecondStepMissing = createError(
  'TOTP_SETUP_REQUIRED',
  'Please set up two-step sign-in first. Every admin needs it here.',
  403,
);
