import {
  changePassword,
  describe,
  explain,
  isClientError,
  isClosed,
  isConflict,
  isFixable,
  loadPage,
  never,
  type Words,
  wordsOf,
} from './error-words.ts';

const catalogue = {
  'sign up': {
    fallback: 'Something went wrong. Please try again.',
    shows: isConflict,
    explains: isFixable,
  },
  'log in': {
    fallback: 'Login failed. Please check your credentials.',
    shows: never,
    explains: isClosed,
  },
  'change password': changePassword,
  'generate referral code': {
    fallback: 'Failed to generate referral code. Please try again.',
    shows: never,
  },
  'load page': loadPage,
  ...wordsOf(
    { shows: never, explains: isFixable },
    {
      'set password':
        'Failed to set password. Please ensure you entered the correct email or phone number you used during signup.',
      'update profile': 'Failed to update profile. Please try again.',
      'toggle delivery': 'Failed to update delivery settings. Please try again.',
      'send support message': 'Failed to send support message. Please try again.',
      'send contact message': "We couldn't send your message. Please try again.",
      'export data': "We couldn't prepare your data. Please try again.",
    },
  ),
  ...wordsOf(
    { shows: isClientError },
    {
      'change plan': "We couldn't change your plan. Please try again.",
      'buy gift': "We couldn't open the payment page. Please try again.",
      'redeem gift': "We couldn't redeem your gift. Please try again.",
      'open invoice': "We couldn't open the invoice. Please try again.",
      'open billing page': "We couldn't open the billing page. Please try again.",
      'ask for consent': "We couldn't send the text. Please try again.",
      'confirm email': "We couldn't save your answer. Please try again.",
      'confirm phone': "We couldn't confirm your number. Please try again.",
      'send confirmation': "We couldn't send the email. Please try again.",
      'delete account': "We couldn't delete your account. Please try again.",
    },
  ),
} satisfies Record<string, Words>;

export type Action = keyof typeof catalogue;

export const describeError = (action: Action, error: unknown): string =>
  describe(catalogue[action], error);

export const explainError = (action: Action, error: unknown): string | null =>
  explain(catalogue[action], error);
