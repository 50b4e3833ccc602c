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
  'There is already a daily message for %s. Change or delete it first.',
  409,
);
export const DayIsSent = createError(
  'DAY_IS_SENT',
  'The daily message of %s has already been sent.',
  409,
);
export const UnknownMessage = createError('UNKNOWN_MESSAGE', 'There is no such message.', 404);
export const AlreadySent = createError('ALREADY_SENT', 'This message has already been sent.', 409);
export const ChangedMeanwhile = createError(
  'CHANGED_MEANWHILE',
  'Somebody else changed this meanwhile. Please close it, look at what it says now and change it again.',
  409,
);
export const NoHeader = createError(
  'NO_HEADER',
  'The first line has to name the columns date, title and content. Missing: %s.',
  400,
);
export const OpenQuote = createError(
  'OPEN_QUOTE',
  'In line %s begins a cell with a quotation mark (") that is never closed. Please close it.',
  400,
);
export const NoLines = createError('NO_LINES', 'There is no line below the header.', 400);
export const TooManyLines = createError(
  'TOO_MANY_LINES',
  'At most %s messages can be imported at once. Please split the file.',
  400,
);
export const UnknownTemplate = createError(
  'UNKNOWN_TEMPLATE',
  'There is no such message in the library. It may have been deleted.',
  404,
);
export const UnknownFaq = createError(
  'UNKNOWN_FAQ',
  'There is no such question. It may have been deleted.',
  404,
);
export const TooManyFaqs = createError(
  'TOO_MANY_FAQS',
  'There are %s questions already, more than anybody reads. Please delete one first.',
  409,
);
export const OtherFaqs = createError(
  'OTHER_FAQS',
  'Somebody else added or deleted a question meanwhile. Please load the page again.',
  409,
);
export const UnknownFaqPlaceholder = createError(
  'UNKNOWN_PLACEHOLDER',
  'Only {{product_name}} and {{support_email}} are filled in. Please remove %s.',
  400,
);
export const DatesTaken = createError(
  'DATES_TAKEN',
  'Others schedule messages for these dates at this moment. Please try again.',
  409,
);
