import { badRequest, conflict, notFound } from '@daylift/server/error';

export const BlankField = badRequest(
  'INVALID_INPUT',
  'Please fill in all required fields. "%s" is blank.',
);
export const NoSuchDate = badRequest('NO_SUCH_DATE', 'Invalid date. Use the format 2027-03-07.');
export const DateIsPast = badRequest(
  'DATE_IS_PAST',
  '%s has passed in every time zone. Choose today or a later date.',
);
export const TimeIsNight = badRequest(
  'TIME_IS_NIGHT',
  'Announcements go out between 08:00 and 20:59. Choose a time in that range.',
);
export const UnknownPlaceholder = badRequest(
  'UNKNOWN_PLACEHOLDER',
  '{{first_name}} is the only placeholder you can use. Remove %s.',
);
export const ContentTooLong = badRequest(
  'CONTENT_TOO_LONG',
  'This takes %s message parts, and the carrier allows at most %s. Shorten it.',
);
export const DayIsTaken = conflict(
  'DAY_IS_TAKEN',
  '%s already has a daily message. Edit or delete it first.',
);
export const DayIsSent = conflict('DAY_IS_SENT', 'The daily message for %s has already been sent.');
export const UnknownMessage = notFound('UNKNOWN_MESSAGE', 'Message not found.');
export const AlreadySent = conflict('ALREADY_SENT', 'This message has already been sent.');
export const ChangedMeanwhile = conflict(
  'CHANGED_MEANWHILE',
  'Someone else changed this in the meantime. Close it, review the current version and try again.',
);
export const NoHeader = badRequest(
  'NO_HEADER',
  'The first line must have the column names date, title and content. Missing: %s.',
);
export const OpenQuote = badRequest(
  'OPEN_QUOTE',
  'A quotation mark (") that starts on line %s is never closed. Close it.',
);
export const NoLines = badRequest('NO_LINES', 'The file has no lines below the header.');
export const TooManyLines = badRequest(
  'TOO_MANY_LINES',
  'You can import at most %s messages at once. Split the file.',
);
export const UnknownSequenceText = notFound('UNKNOWN_SEQUENCE_TEXT', 'Sequence text not found.');
export const UnknownTemplate = notFound(
  'UNKNOWN_TEMPLATE',
  'Library message not found. It may have been deleted.',
);
export const UnknownFaq = notFound('UNKNOWN_FAQ', 'Question not found. It may have been deleted.');
export const TooManyFaqs = conflict(
  'TOO_MANY_FAQS',
  "You've reached the limit of %s questions. Delete one first.",
);
export const OtherFaqs = conflict(
  'OTHER_FAQS',
  'Someone else added or deleted a question in the meantime. Reload the page.',
);
export const UnknownFaqPlaceholder = badRequest(
  'UNKNOWN_PLACEHOLDER',
  '{{product_name}} and {{support_email}} are the only placeholders you can use. Remove %s.',
);
export const DatesTaken = conflict(
  'DATES_TAKEN',
  'Someone else is scheduling messages for these dates right now. Try again.',
);
