import { createError, notFound, tooManyRequests, unavailable } from '@daylift/server/error';

export const NothingHere = notFound('NOT_FOUND', 'Not found.');
export const UnknownHost = createError(
  'UNKNOWN_HOST',
  'No site is served under this host name. To serve one, add the name to ALLOWED_HOSTS.',
  421,
);
export const PasswordChangeRequired = createError(
  'PASSWORD_CHANGE_REQUIRED',
  'Please choose your own password first.',
  403,
);
export const TooManyRequests = tooManyRequests(
  'TOO_MANY_REQUESTS',
  'Too many requests. Please try again in %s.',
);
export const PartUnavailable = unavailable(
  'PART_UNAVAILABLE',
  'This part of %s is not available right now. Please try again.',
);
export const PartTooSlow = unavailable(
  'PART_TOO_SLOW',
  'This part of %s is taking too long to respond. Check whether your change was made before you try again.',
);
export const TooManyWindows = tooManyRequests(
  'TOO_MANY_WINDOWS',
  'Too many windows are open. Close some of them.',
);
export const TotpSetupRequired = createError(
  'TOTP_SETUP_REQUIRED',
  "Set up two-step sign-in first. It's required for all admins.",
  403,
);
