import { createError } from '@daylift/server/error';

export const TimeOnlyMovesForward = createError(
  'TIME_ONLY_MOVES_FORWARD',
  '"advance_to" (%s) is not later than the current time (%s). Send a later instant.',
  400,
);
export const NotAnInstant = createError(
  'NOT_AN_INSTANT',
  '"advance_to" must be an ISO 8601 instant with a zone, such as 2027-03-01T09:00:00Z.',
  400,
);
export const NothingToDo = createError(
  'NOTHING_TO_DO',
  'Send one of {"advance_hours": 26}, {"advance_to": "2027-03-01T09:00:00Z"} or {"settle": true}.',
  400,
);
export const SettleUrlNeeded = createError(
  'SETTLE_URL_NEEDED',
  'A process that registers must send "settle_url", the HTTP URL of its POST /internal/settle.',
  400,
);
export const NotAPhoneNumber = createError(
  'NOT_A_PHONE_NUMBER',
  '"%s" must be a phone number in E.164, such as +12125550123 (%2B for + in a URL).',
  400,
);
export const UnknownFault = createError('INVALID_FAULT', '%s', 400);
