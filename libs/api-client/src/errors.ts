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
  'set password': {
    fallback:
      'Failed to set password. Please ensure you entered the correct email or phone number you used during signup.',
    shows: never,
    explains: isFixable,
  },
  'update profile': {
    fallback: 'Failed to update profile. Please try again.',
    shows: never,
    explains: isFixable,
  },
  'toggle delivery': {
    fallback: 'Failed to update delivery settings. Please try again.',
    shows: never,
    explains: isFixable,
  },
  'change password': changePassword,
  'send support message': {
    fallback: 'Failed to send support message. Please try again.',
    shows: never,
    explains: isFixable,
  },
  'send contact message': {
    fallback: "We couldn't send your message. Please try again.",
    shows: never,
    explains: isFixable,
  },
  'generate referral code': {
    fallback: 'Failed to generate referral code. Please try again.',
    shows: never,
  },
  'change plan': {
    fallback: "We couldn't change your plan. Please try again.",
    shows: isClientError,
  },
  'open billing page': {
    fallback: "We couldn't open the billing page. Please try again.",
    shows: isClientError,
  },
  'ask for consent': {
    fallback: "We couldn't send the text. Please try again.",
    shows: isClientError,
  },
  'confirm email': {
    fallback: "We couldn't save your answer. Please try again.",
    shows: isClientError,
  },
  'confirm phone': {
    fallback: "We couldn't confirm your number. Please try again.",
    shows: isClientError,
  },
  'send confirmation': {
    fallback: "We couldn't send the email. Please try again.",
    shows: isClientError,
  },
  'export data': {
    fallback: "We couldn't prepare your data. Please try again.",
    shows: never,
    explains: isFixable,
  },
  'delete account': {
    fallback: "We couldn't delete your account. Please try again.",
    shows: isClientError,
  },
  'load page': loadPage,
} satisfies Record<string, Words>;

export type Action = keyof typeof catalogue;

export const describeError = (action: Action, error: unknown): string =>
  describe(catalogue[action], error);

export const explainError = (action: Action, error: unknown): string | null =>
  explain(catalogue[action], error);
