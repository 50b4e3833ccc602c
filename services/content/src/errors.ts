import { createError } from '@daylift/server/error';

export const BlankField = createError(
  'INVALID_INPUT',
  'Please fill in all required fields. "%s" is blank.',
  400,
);
export const NoSuchDate = createError(
  'NO_SUCH_DATE',
  'There is no such date. Please write it like 2027-03-07.',
  400,
);
export const DateIsPast = createError(
  'DATE_IS_PAST',
  '%s is over everywhere. Please choose today or a later date.',
  400,
);
export const TimeIsNight = createError(
  'TIME_IS_NIGHT',
  'An announcement may go out from 08:00 to 20:59. Please choose a time between.',
  400,
);
export const UnknownPlaceholder = createError(
  'UNKNOWN_PLACEHOLDER',
  'Only {{first_name}} is filled in for each subscriber. Please remove %s.',
  400,
);
export const ContentTooLong = createError(
  'CONTENT_TOO_LONG',
  'This would take %s text messages, and the carrier takes at most %s. Please shorten it.',
  400,
);
export const DayIsTaken = createError(
  'DAY_IS_TAKEN',
  'There is already a daily message for %s. Delete it first.',
  409,
);
export const DayIsSent = createError(
  'DAY_IS_SENT',
  'The daily message of %s has already been sent.',
  409,
);
export const UnknownMessage = createError('UNKNOWN_MESSAGE', 'There is no such message.', 404);
export const AlreadySent = createError('ALREADY_SENT', 'This message has already been sent.', 409);
