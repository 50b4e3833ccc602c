import { createError } from '@daylift/server/error';

export const BlankField = createError(
  'INVALID_INPUT',
  'Please fill in all required fields. "%s" is blank.',
  400,
);
export const NoSuchDate = createError(
  'NO_SUCH_DATE',
  'Invalid date. Use the format 2027-03-07.',
  400,
);
export const DateIsPast = createError(
  'DATE_IS_PAST',
  '%s has passed in every time zone. Choose today or a later date.',
  400,
);
export const TimeIsNight = createError(
  'TIME_IS_NIGHT',
  'Announcements go out between 08:00 and 20:59. Choose a time in that range.',
  400,
);
export const UnknownPlaceholder = createError(
  'UNKNOWN_PLACEHOLDER',
  '{{first_name}} is the only placeholder you can use. Remove %s.',
  400,
);
export const ContentTooLong = createError(
  'CONTENT_TOO_LONG',
  'This takes %s message parts, and the carrier allows at most %s. Shorten it.',
  400,
);
export const DayIsTaken = createError(
  'DAY_IS_TAKEN',
  '%s already has a daily message. Edit or delete it first.',
  409,
);
export const DayIsSent = createError(
  'DAY_IS_SENT',
  'The daily message for %s has already been sent.',
  409,
);
export const UnknownMessage = createError('UNKNOWN_MESSAGE', 'Message not found.', 404);
export const AlreadySent = createError('ALREADY_SENT', 'This message has already been sent.', 409);
export const ChangedMeanwhile = createError(
  'CHANGED_MEANWHILE',
  'Someone else changed this in the meantime. Close it, review the current version and try again.',
  409,
);
export const NoHeader = createError(
  'NO_HEADER',
  'The first line must have the column names date, title and content. Missing: %s.',
  400,
);
export const OpenQuote = createError(
  'OPEN_QUOTE',
  'A quotation mark (") that starts on line %s is never closed. Close it.',
  400,
);
export const NoLines = createError('NO_LINES', 'The file has no lines below the header.', 400);
export const TooManyLines = createError(
  'TOO_MANY_LINES',
  'You can import at most %s messages at once. Split the file.',
  400,
);
export const UnknownTemplate = createError(
  'UNKNOWN_TEMPLATE',
  'Library message not found. It may have been deleted.',
  404,
);
export const UnknownFaq = createError(
  'UNKNOWN_FAQ',
  'Question not found. It may have been deleted.',
  404,
);
export const TooManyFaqs = createError(
  'TOO_MANY_FAQS',
  "You've reached the limit of %s questions. Delete one first.",
  409,
);
export const OtherFaqs = createError(
  'OTHER_FAQS',
  'Someone else added or deleted a question in the meantime. Reload the page.',
  409,
);
export const UnknownFaqPlaceholder = createError(
  'UNKNOWN_PLACEHOLDER',
  '{{product_name}} and {{support_email}} are the only placeholders you can use. Remove %s.',
  400,
);
export const DatesTaken = createError(
  'DATES_TAKEN',
  'Someone else is scheduling messages for these dates right now. Try again.',
  409,
);
