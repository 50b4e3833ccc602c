import { createError } from '@daylift/server/error';

export const ForgedWebhook = createError(
  'FORGED_WEBHOOK',
  'This is not signed by the provider, or was signed too long ago.',
  401,
);
export const UnknownHistoryItem = createError(
  'UNKNOWN_HISTORY_ITEM',
  'This is not a text of your history. Please start again from the newest one.',
  400,
);
export const TestPhoneMissing = createError(
  'TEST_PHONE_MISSING',
  'Please give the number that gets the texts while testing mode is on.',
  400,
);
export const TestPhoneStopped = createError(
  'TEST_PHONE_STOPPED',
  'This number said STOP, so nothing can be sent to it. Text START from it, or choose another one.',
  409,
);
export const AlertAddressMissing = createError(
  'ALERT_ADDRESS_MISSING',
  'Please give an e-mail address: without one nobody can be alerted.',
  400,
);
export const InvalidSpan = createError(
  'INVALID_SPAN',
  'Please choose a first day that is not after the last, and at most 366 days.',
  400,
);
export const UnknownLoggedText = createError(
  'UNKNOWN_LOGGED_TEXT',
  'This is not a text of the list. Please start again from the newest one.',
  400,
);
export const MalformedWebhook = createError(
  'MALFORMED_WEBHOOK',
  'This is not an event that the provider sends.',
  400,
);
export const SendingFrozen = createError(
  'SENDING_FROZEN',
  'Sending is frozen. Start it again first.',
  409,
);
export const OtherFreeze = createError(
  'OTHER_FREEZE',
  'Sending was started again and frozen once more meanwhile. Please look at it anew.',
  409,
);
