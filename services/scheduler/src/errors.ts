import { createError } from '@daylift/server/error';

export const NoMessageToday = createError(
  'NO_MESSAGE_TODAY',
  'No message is scheduled for today.',
  404,
);
export const OtherMessageToday = createError(
  'OTHER_MESSAGE_TODAY',
  "Today's message has changed. Close this dialog and check it before sending.",
  409,
);
export const AlreadySent = createError(
  'ALREADY_SENT',
  "This message has already been sent and can't be sent again.",
  409,
);
export const NoSuchMessage = createError(
  'NO_SUCH_MESSAGE',
  'Scheduled message not found. It may have been deleted.',
  404,
);
export const UnknownTimeZone = createError(
  'UNKNOWN_TIME_ZONE',
  'Unknown time zone. Use a name such as America/New_York.',
  400,
);
export const WeekdayWithoutWeekly = createError(
  'WEEKDAY_WITHOUT_WEEKLY',
  'You can only choose a weekday for weekly texts.',
  400,
);
export const SendNotFinished = createError(
  'SEND_NOT_FINISHED',
  'This message is still being sent. Try again in a moment.',
  409,
);
export const RunNotFinished = createError(
  'RUN_NOT_FINISHED',
  'The scheduler is still working on an earlier run. Try again in a moment.',
  503,
);
