import { createError } from '@daylift/server/error';

export const NoMessageToday = createError(
  'NO_MESSAGE_TODAY',
  'No message is scheduled for today.',
  404,
);
export const AlreadySent = createError(
  'ALREADY_SENT',
  'This message was already sent. It is not sent again.',
  409,
);
export const NoSuchMessage = createError(
  'NO_SUCH_MESSAGE',
  'There is no such scheduled message. It may have been deleted.',
  404,
);
export const UnknownTimeZone = createError(
  'UNKNOWN_TIME_ZONE',
  'This time zone is not known. Please choose one such as America/New_York.',
  400,
);
export const WeekdayWithoutWeekly = createError(
  'WEEKDAY_WITHOUT_WEEKLY',
  'A weekday can only be chosen for weekly texts.',
  400,
);
export const RunNotFinished = createError(
  'RUN_NOT_FINISHED',
  'The scheduler is still at work on an earlier run. Please try again in a moment.',
  503,
);
