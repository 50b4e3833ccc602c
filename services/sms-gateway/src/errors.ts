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
