import { createError } from '@daylift/server/error';

export const AccountExists = createError(
  'ACCOUNT_EXISTS',
  'An account with this email or phone already exists. Please sign in.',
  409,
);
export const SubscriberExists = createError(
  'SUBSCRIBER_EXISTS',
  'A subscriber with this email or phone already exists. See the subscriber list.',
  409,
);
export const OwnAddress = createError(
  'ADDRESS_NOT_ALLOWED',
  'This is one of our own email addresses. Please use yours.',
  400,
);
export const LinkNotGood = createError(
  'LINK_NOT_GOOD',
  'This link has already been used or has expired. Please sign in and request a new one.',
  400,
);
export const EmailProven = createError(
  'EMAIL_PROVEN',
  'Your email address is already confirmed.',
  409,
);
export const TooManyConfirmations = createError(
  'TOO_MANY_CONFIRMATIONS',
  "We've emailed this address several times today. Please try again tomorrow.",
  429,
);
export const EmailTaken = createError(
  'EMAIL_TAKEN',
  'Another account already uses this email address.',
  409,
);
export const PasswordNeeded = createError(
  'PASSWORD_NEEDED',
  'Enter your current password to change your phone number or email address.',
  400,
);
export const PasswordNeededToConfirm = createError(
  'PASSWORD_NEEDED',
  'Another signup uses this email too. Enter your password to confirm that this account is yours.',
  400,
);
export const PhoneProven = createError(
  'PHONE_PROVEN',
  'Your phone number is already confirmed.',
  409,
);
export const NoPhone = createError(
  'NO_PHONE',
  'Your account has no phone number. Please add one in Settings.',
  409,
);
export const NoEmail = createError(
  'NO_EMAIL',
  'Your account has no email address. Please add one in Settings.',
  409,
);
export const NoConfirmedAddress = createError(
  'NO_CONFIRMED_ADDRESS',
  'You have no confirmed email or phone to send a code to. Please use your password.',
  409,
);
export const TooManyCodes = createError(
  'TOO_MANY_CODES',
  "You've requested several codes. Please wait a minute and try again, or come back tomorrow.",
  429,
);
export const TooManyEmailChanges = createError(
  'TOO_MANY_EMAIL_CHANGES',
  "You've changed your email address several times today. Please try again tomorrow.",
  429,
);
export const TooManyPhoneChanges = createError(
  'TOO_MANY_PHONE_CHANGES',
  "You've changed your phone number several times today. Please try again tomorrow.",
  429,
);
export const OptedOut = createError(
  'OPTED_OUT',
  'You stopped texts by replying STOP. Text START to our number to get them again.',
  409,
);
export const ConsentGranted = createError(
  'CONSENT_GRANTED',
  'This number has already agreed to receive texts.',
  409,
);
export const NotSubscribed = createError(
  'NOT_SUBSCRIBED',
  "Please choose a plan first. We'll text you as soon as it starts.",
  409,
);
export const SubscriptionEnded = createError(
  'SUBSCRIPTION_ENDED',
  "Your plan has ended, so we can't text you. Please choose a plan first.",
  409,
);
export const TooManyConsentRequests = createError(
  'TOO_MANY_CONSENT_REQUESTS',
  "We've texted this number several times today. Please try again tomorrow.",
  429,
);
export const InvalidPause = createError(
  'INVALID_PAUSE',
  'Please choose a date from tomorrow up to a year ahead.',
  400,
);
export const InvalidSubject = createError(
  'INVALID_SUBJECT',
  'The subject must be a single line of plain text.',
  400,
);
export const TooManyMessages = createError(
  'TOO_MANY_LETTERS',
  "You've sent several messages in the last hour. We'll reply to them; please wait an hour before sending another.",
  429,
);
export const ConversationClosed = createError(
  'CONVERSATION_CLOSED',
  'This conversation is closed. Reopen it first.',
  409,
);
export const CannotAnswer = createError('CANNOT_ANSWER', '%s', 409);
export const AnswerTooLong = createError(
  'ANSWER_TOO_LONG',
  'A text can have at most 640 characters. Shorten it or reply by email.',
  400,
);
export const TooManyExports = createError(
  'TOO_MANY_EXPORTS',
  "You've downloaded your data several times in the last hour. Please try again in an hour.",
  429,
);
export const PasswordWrong = createError('PASSWORD_WRONG', 'Your password is incorrect.', 422);
export const FieldsMissing = createError(
  'FIELDS_MISSING',
  'Please fill in all required fields',
  400,
);
export const PreferencesMissing = createError(
  'PREFERENCES_MISSING',
  'Please select your timezone and delivery time',
  400,
);
export const PasswordsDiffer = createError('PASSWORDS_DIFFER', 'Passwords do not match', 400);
export const InvalidName = createError(
  'INVALID_NAME',
  "Names can't contain web addresses, phone numbers or the characters : / @.",
  400,
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
export const PasswordNotOwn = createError(
  'PASSWORD_NOT_OWN',
  'Please choose a different password from the one you were given.',
  400,
);
export const AlreadyCreated = createError(
  'ALREADY_CREATED',
  "This subscriber was already created. The password can't be shown again.",
  409,
);
export const NoSuchSubscriber = createError('NO_SUCH_SUBSCRIBER', 'Subscriber not found.', 404);
export const CodeNotRight = createError(
  'CODE_NOT_RIGHT',
  'This code is incorrect or has expired. Please request a new one.',
  400,
);
export const TooManyTries = createError(
  'TOO_MANY_TRIES',
  'Too many attempts. Please try again in %s.',
  429,
);
export const TooBusy = createError('TOO_BUSY', 'Sign-in is busy right now. Please try again.', 503);
export const NoSuchInstant = createError(
  'NO_SUCH_INSTANT',
  'Invalid time. Use the format 2027-03-07T15:00:00Z.',
  400,
);
export const TotpRequired = createError(
  'TOTP_REQUIRED',
  'Enter the code from your authenticator app.',
  401,
);
export const TotpOn = createError('TOTP_ON', 'Two-step sign-in is already on.', 409);
export const TotpOff = createError('TOTP_OFF', 'Two-step sign-in is off.', 409);
export const TotpSetupNotStarted = createError(
  'TOTP_NOT_BEGUN',
  'The setup timed out. Please start again.',
  409,
);
export const TotpCodeWrong = createError(
  'TOTP_CODE_WRONG',
  "This code is incorrect. Wait for the next one, and check that your phone's clock is right.",
  422,
);
export const UsernameTaken = createError(
  'USERNAME_TAKEN',
  'An admin with this username already exists.',
  409,
);
export const LastOwner = createError(
  'LAST_OWNER',
  "You're the last owner. Make another admin an owner first.",
  409,
);
export const CannotChangeSelf = createError(
  'OWN_ACCESS',
  "You can't change your own access. Ask another owner.",
  409,
);
export const AdminDeactivated = createError(
  'ADMIN_DEACTIVATED',
  'This admin is deactivated. Activate the account first.',
  409,
);
export const InvitationNotGood = createError(
  'INVITATION_NOT_GOOD',
  'This invitation has already been used or has expired. Ask an owner for a new one.',
  400,
);
