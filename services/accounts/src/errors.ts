import {
  badRequest,
  conflict,
  createError,
  notFound,
  tooManyRequests,
  unavailable,
} from '@daylift/server/error';

export const AccountExists = conflict(
  'ACCOUNT_EXISTS',
  'An account with this email or phone already exists. Please sign in.',
);
export const SubscriberExists = conflict(
  'SUBSCRIBER_EXISTS',
  'A subscriber with this email or phone already exists. See the subscriber list.',
);
export const OwnAddress = badRequest(
  'ADDRESS_NOT_ALLOWED',
  'This is one of our own email addresses. Please use yours.',
);
export const LinkInvalid = badRequest(
  'LINK_NOT_GOOD',
  'This link has already been used or has expired. Please sign in and request a new one.',
);
export const RevertLinkInvalid = badRequest(
  'LINK_NOT_GOOD',
  "This link has already been used or has expired. If you didn't make the change, please contact us.",
);
export const EmailProven = conflict('EMAIL_PROVEN', 'Your email address is already confirmed.');
export const TooManyConfirmations = tooManyRequests(
  'TOO_MANY_CONFIRMATIONS',
  "We've emailed this address several times today. Please try again tomorrow.",
);
export const EmailTaken = conflict(
  'EMAIL_TAKEN',
  'Another account already uses this email address.',
);
export const PasswordNeeded = badRequest(
  'PASSWORD_NEEDED',
  'Enter your current password to change your phone number or email address.',
);
export const PasswordNeededToConfirm = badRequest(
  'PASSWORD_NEEDED',
  'Another signup uses this email too. Enter your password to confirm that this account is yours.',
);
export const PhoneProven = conflict('PHONE_PROVEN', 'Your phone number is already confirmed.');
export const NoPhone = conflict(
  'NO_PHONE',
  'Your account has no phone number. Please add one in Settings.',
);
export const NoEmail = conflict(
  'NO_EMAIL',
  'Your account has no email address. Please add one in Settings.',
);
export const NoConfirmedAddress = conflict(
  'NO_CONFIRMED_ADDRESS',
  'You have no confirmed email or phone to send a code to. Please use your password.',
);
export const TooManyCodes = tooManyRequests(
  'TOO_MANY_CODES',
  'Please wait a minute before you request another code. The last one works for 10 minutes. If you have requested several today, please try again tomorrow.',
);
export const TooManyEmailChanges = tooManyRequests(
  'TOO_MANY_EMAIL_CHANGES',
  "You've changed your email address several times today. Please try again tomorrow.",
);
export const TooManyPhoneChanges = tooManyRequests(
  'TOO_MANY_PHONE_CHANGES',
  "You've changed your phone number several times today. Please try again tomorrow.",
);
export const OptedOut = conflict(
  'OPTED_OUT',
  'You stopped texts by replying STOP. Text START to our number to get them again.',
);
export const ConsentGranted = conflict(
  'CONSENT_GRANTED',
  'This number has already agreed to receive texts.',
);
export const NotSubscribed = conflict(
  'NOT_SUBSCRIBED',
  "Please choose a plan first. We'll text you as soon as it starts.",
);
export const SubscriptionEnded = conflict(
  'SUBSCRIPTION_ENDED',
  "Your plan has ended, so we can't text you. Please choose a plan first.",
);
export const TooManyConsentRequests = tooManyRequests(
  'TOO_MANY_CONSENT_REQUESTS',
  "We've texted this number several times today. Please try again tomorrow.",
);
export const InvalidPause = badRequest(
  'INVALID_PAUSE',
  'Please choose a date from tomorrow up to a year ahead.',
);
export const InvalidSubject = badRequest(
  'INVALID_SUBJECT',
  'The subject must be a single line of plain text.',
);
export const TooManyMessages = tooManyRequests(
  'TOO_MANY_LETTERS',
  "You've sent several messages in the last hour. We'll reply to them; please wait an hour before sending another.",
);
export const ConversationClosed = conflict(
  'CONVERSATION_CLOSED',
  'This conversation is closed. Reopen it first.',
);
export const UnreadMessage = conflict(
  'UNREAD_MESSAGE',
  'They have written again. Read the new message before you close this conversation.',
);
export const NoSuchSavedReply = notFound(
  'NO_SUCH_SAVED_REPLY',
  'Saved reply not found. It may have been deleted.',
);
export const TooManySavedReplies = conflict(
  'TOO_MANY_SAVED_REPLIES',
  "You've reached the limit of %s saved replies. Delete one first.",
);
export const NoSuchAssignee = badRequest(
  'NO_SUCH_ASSIGNEE',
  'Conversations can only be assigned to active operators and owners.',
);
export const CannotAnswer = conflict('CANNOT_ANSWER', '%s');
export const ReplyAlreadySent = conflict(
  'REPLY_ALREADY_SENT',
  'An earlier version of this reply was already sent. Read it above before you send another.',
);
export const AnswerTooLong = badRequest(
  'ANSWER_TOO_LONG',
  'A text can have at most 640 characters. Shorten it or reply by email.',
);
export const TooManyExports = tooManyRequests(
  'TOO_MANY_EXPORTS',
  "You've downloaded your data several times in the last hour. Please try again in an hour.",
);
export const PasswordWrong = createError('PASSWORD_WRONG', 'Your password is incorrect.', 422);
export const FieldsMissing = badRequest('FIELDS_MISSING', 'Please fill in all required fields');
export const PreferencesMissing = badRequest(
  'PREFERENCES_MISSING',
  'Please select your timezone and delivery time',
);
export const PasswordsDiffer = badRequest('PASSWORDS_DIFFER', 'Passwords do not match');
export const InvalidName = badRequest(
  'INVALID_NAME',
  "Names can't contain web addresses, phone numbers or the characters : / @.",
);
export const UnknownTimeZone = badRequest(
  'UNKNOWN_TIME_ZONE',
  'Unknown time zone. Use a name such as America/New_York.',
);
export const WeekdayWithoutWeekly = badRequest(
  'WEEKDAY_WITHOUT_WEEKLY',
  'You can only choose a weekday for weekly texts.',
);
export const LoginFailed = createError(
  'LOGIN_FAILED',
  'Login failed. Please check your credentials.',
  401,
);
export const AdminLoginFailed = createError('LOGIN_FAILED', 'Invalid credentials', 401);
export const AccountPaused = createError(
  'ACCOUNT_PAUSED',
  'This account is paused. Please contact support.',
  403,
);
export const CurrentPasswordWrong = createError(
  'CURRENT_PASSWORD_WRONG',
  'Your current password is incorrect.',
  422,
);
export const PasswordNotOwn = badRequest(
  'PASSWORD_NOT_OWN',
  'Please choose a different password from the one you were given.',
);
export const AlreadyCreated = conflict(
  'ALREADY_CREATED',
  "This subscriber was already created. The password can't be shown again.",
);
export const NoSuchSubscriber = notFound('NO_SUCH_SUBSCRIBER', 'Subscriber not found.');
export const CodeWrong = badRequest(
  'CODE_NOT_RIGHT',
  'This code is incorrect or has expired. Please request a new one.',
);
export const TooManyTries = tooManyRequests(
  'TOO_MANY_TRIES',
  'Too many attempts. Please try again in %s.',
);
export const TooBusy = unavailable('TOO_BUSY', 'Sign-in is busy right now. Please try again.');
export const NoSuchInstant = badRequest(
  'NO_SUCH_INSTANT',
  'Invalid time. Use the format 2027-03-07T15:00:00Z.',
);
export const TotpRequired = createError(
  'TOTP_REQUIRED',
  'Enter the code from your authenticator app.',
  401,
);
export const TotpOn = conflict('TOTP_ON', 'Two-step sign-in is already on.');
export const TotpOff = conflict('TOTP_OFF', 'Two-step sign-in is off.');
export const TotpSetupNotStarted = conflict(
  'TOTP_NOT_BEGUN',
  'The setup timed out. Please start again.',
);
export const TotpCodeWrong = createError(
  'TOTP_CODE_WRONG',
  "This code is incorrect. Wait for the next one, and check that your phone's clock is right.",
  422,
);
export const UsernameTaken = conflict(
  'USERNAME_TAKEN',
  'An admin with this username already exists.',
);
export const LastOwner = conflict(
  'LAST_OWNER',
  "You're the last owner. Make another admin an owner first.",
);
export const CannotChangeSelf = conflict(
  'OWN_ACCESS',
  "You can't change your own access. Ask another owner.",
);
export const AdminDeactivated = conflict(
  'ADMIN_DEACTIVATED',
  'This admin is deactivated. Activate the account first.',
);
export const InvitationInvalid = badRequest(
  'INVITATION_NOT_GOOD',
  'This invitation has already been used or has expired. Ask an owner for a new one.',
);
