import { createError } from '@daylift/server/error';

export const ForgedWebhook = createError(
  'FORGED_WEBHOOK',
  'The webhook signature is invalid or too old.',
  401,
);
export const UnknownHistoryItem = createError(
  'UNKNOWN_HISTORY_ITEM',
  'Invalid cursor. Start again from the newest text.',
  400,
);
export const BatchNotStopped = createError(
  'BATCH_NOT_STOPPED',
  "This batch isn't stopped. Reload the page.",
  409,
);
export const TestPhoneMissing = createError(
  'TEST_PHONE_MISSING',
  'Enter a test phone number.',
  400,
);
export const TestPhoneStopped = createError(
  'TEST_PHONE_STOPPED',
  "This number replied STOP, so it can't get texts. Text START from it, or choose another number.",
  409,
);
export const TestTextTooLong = createError(
  'CONTENT_TOO_LONG',
  'The carrier allows at most %s message parts. Shorten the message.',
  400,
);
export const TooManyTestTexts = createError(
  'TOO_MANY_TEST_TEXTS',
  'You can send %s test texts an hour. Please try again later.',
  429,
);
export const AlertAddressMissing = createError(
  'ALERT_ADDRESS_MISSING',
  'Enter an email address to turn on alerts.',
  400,
);
export const InvalidSpan = createError(
  'INVALID_SPAN',
  "Choose a range of at most 366 days whose first day isn't after the last.",
  400,
);
export const UnknownLoggedText = createError(
  'UNKNOWN_LOGGED_TEXT',
  'Invalid cursor. Start again from the newest text.',
  400,
);
export const MalformedWebhook = createError('MALFORMED_WEBHOOK', 'Unknown webhook event.', 400);
export const KnownSender = createError('KNOWN_SENDER', 'This number is already a sender.', 409);
export const UnknownSender = createError('UNKNOWN_SENDER', 'No sender has this number.', 404);
export const InvalidSender = createError(
  'INVALID_SENDER',
  "The number doesn't fit the type. Enter a number like +18885550123, a short code or a name.",
  400,
);
export const LastSender = createError(
  'LAST_SENDER',
  'No other sender is active. Add or activate one first.',
  409,
);
export const UnknownRecipient = createError(
  'UNKNOWN_RECIPIENT',
  'This subscriber has no phone number, or was deleted.',
  404,
);
export const NumberChanging = createError(
  'NUMBER_CHANGED',
  "This subscriber's number just changed. Please try again.",
  409,
);
export const SendingFrozen = createError(
  'SENDING_FROZEN',
  'Sending is frozen. Resume sending first.',
  409,
);
export const OtherFreeze = createError(
  'OTHER_FREEZE',
  'Sending was resumed and frozen again in the meantime. Review the new freeze first.',
  409,
);
