import { createError } from '@daylift/server/error';

export const NothingHere = createError('NOT_FOUND', 'Not found.', 404);
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
  'This part of %s is taking too long to respond. Check whether your change was made before you try again.',
  503,
);
export const TooManyWindows = createError(
  'TOO_MANY_WINDOWS',
  'Too many windows are open. Close some of them.',
  429,
);
export const TotpSetupRequired = createError(
  'TOTP_SETUP_REQUIRED',
  "Set up two-step sign-in first. It's required for all admins.",
  403,
);
