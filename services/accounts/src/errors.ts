import { createError } from '@daylift/server/error';

export const AccountExists = createError(
  'ACCOUNT_EXISTS',
  'An account with this email or phone already exists. Please sign in.',
  409,
);
export const SubscriberExists = createError(
  'SUBSCRIBER_EXISTS',
  'A subscriber with this email or phone already exists. You can find them in the list.',
  409,
);
export const OwnAddress = createError(
  'ADDRESS_NOT_ALLOWED',
  'This email address is one of ours. Please use your own.',
  400,
);
export const LinkNotGood = createError(
  'LINK_NOT_GOOD',
  'This link was used already or has expired. Please sign in and ask for a new one.',
  400,
);
export const EmailProven = createError(
  'EMAIL_PROVEN',
  'Your email address is already confirmed.',
  409,
);
export const TooManyConfirmations = createError(
  'TOO_MANY_CONFIRMATIONS',
  'We have written to this address several times today. Please try again tomorrow.',
  429,
);
export const EmailTaken = createError(
  'EMAIL_TAKEN',
  'Another account already uses this email address.',
  409,
);
export const PasswordNeeded = createError(
  'PASSWORD_NEEDED',
  'Please type your current password to change your phone number or email address.',
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
  'There is no phone number on your account. Please add yours in your settings.',
  409,
);
export const NoEmail = createError(
  'NO_EMAIL',
  'There is no email address on your account. Please add yours in your settings.',
  409,
);
export const NoConfirmedAddress = createError(
  'NO_CONFIRMED_ADDRESS',
  'There is no confirmed email or phone to send a code to. Please use your password.',
  409,
);
export const TooManyCodes = createError(
  'TOO_MANY_CODES',
  "You've asked for several codes. Please wait a minute and try again, or come back tomorrow.",
  429,
);
export const TooManyEmailChanges = createError(
  'TOO_MANY_EMAIL_CHANGES',
  'You have changed your email address several times today. Please try again tomorrow.',
  429,
);
export const TooManyPhoneChanges = createError(
  'TOO_MANY_PHONE_CHANGES',
  'You have changed your phone number several times today. Please try again tomorrow.',
  429,
);
export const OptedOut = createError(
  'OPTED_OUT',
  'You stopped texts by replying STOP. Text START to our number to get them again.',
  409,
);
export const ConsentGranted = createError(
  'CONSENT_GRANTED',
  'This number has already agreed to get texts.',
  409,
);
export const NotSubscribed = createError(
  'NOT_SUBSCRIBED',
  'Please choose a plan first. We will text you as soon as it has started.',
  409,
);
export const TooManyConsentRequests = createError(
  'TOO_MANY_CONSENT_REQUESTS',
  'We have texted this number several times today. Please try again tomorrow.',
  429,
);
export const InvalidPause = createError(
  'INVALID_PAUSE',
  'Please choose a date after today, and at most a year ahead.',
  400,
);
export const InvalidSubject = createError(
  'INVALID_SUBJECT',
  'Please write the subject as one line of plain text.',
  400,
);
export const TooManyLetters = createError(
  'TOO_MANY_LETTERS',
  'You have sent several messages within the hour. We will answer them; please write again in an hour.',
  429,
);
export const ConversationClosed = createError(
  'CONVERSATION_CLOSED',
  'This conversation is closed. Please reopen it first.',
  409,
);
export const CannotAnswer = createError('CANNOT_ANSWER', '%s', 409);
export const AnswerTooLong = createError(
  'ANSWER_TOO_LONG',
  'A text may have at most 640 characters. Please answer by email, or shorter.',
  400,
);
export const TooManyExports = createError(
  'TOO_MANY_EXPORTS',
  'You have downloaded your data several times within the hour. Please try again in an hour.',
  429,
);
export const PasswordWrong = createError('PASSWORD_WRONG', 'Your password is not right.', 422);
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
  'This time zone is not known. Please choose one such as America/New_York.',
  400,
);
export const WeekdayWithoutWeekly = createError(
  'WEEKDAY_WITHOUT_WEEKLY',
  'A weekday can only be chosen for weekly texts.',
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
  'Your current password is not right.',
  422,
);
export const PasswordNotOwn = createError(
  'PASSWORD_NOT_OWN',
  'Please choose a password other than the one that you were given.',
  400,
);
export const AlreadyCreated = createError(
  'ALREADY_CREATED',
  'This subscriber has been created already. The password can be shown no more.',
  409,
);
export const NoSuchSubscriber = createError(
  'NO_SUCH_SUBSCRIBER',
  'There is no such subscriber.',
  404,
);
export const CodeNotRight = createError(
  'CODE_NOT_RIGHT',
  'This code is not right or has expired. Please ask for a new one.',
  400,
);
export const TooManyTries = createError(
  'TOO_MANY_TRIES',
  'Too many tries. Please try again in %s.',
  429,
);
export const TooBusy = createError(
  'TOO_BUSY',
  'Too many people sign in at this moment. Please try again.',
  503,
);
export const NoSuchInstant = createError(
  'NO_SUCH_INSTANT',
  'There is no such time. Please write it such as 2027-03-07T15:00:00Z.',
  400,
);
export const TotpRequired = createError(
  'TOTP_REQUIRED',
  'Please type the code of your authenticator app.',
  401,
);
export const TotpOn = createError('TOTP_ON', 'Two-step sign-in is already on.', 409);
export const TotpOff = createError('TOTP_OFF', 'Two-step sign-in is not on.', 409);
export const TotpSetupNotStarted = createError(
  'TOTP_NOT_BEGUN',
  'This took too long. Please begin again.',
  409,
);
export const TotpCodeWrong = createError(
  'TOTP_CODE_WRONG',
  'This code is not right. Please wait for the next one, and look whether the clock of your phone is right.',
  422,
);
export const UsernameTaken = createError(
  'USERNAME_TAKEN',
  'There is already an admin with this username.',
  409,
);
export const LastOwner = createError(
  'LAST_OWNER',
  'You are the last owner. Make somebody else an owner first.',
  409,
);
export const OwnAccess = createError(
  'OWN_ACCESS',
  'You cannot change your own access. Please ask another owner.',
  409,
);
export const AdminDeactivated = createError(
  'ADMIN_DEACTIVATED',
  'This admin is deactivated. Activate them first.',
  409,
);
export const InvitationNotGood = createError(
  'INVITATION_NOT_GOOD',
  'This invitation was used already or has expired. Please ask an owner for a new one.',
  400,
);
