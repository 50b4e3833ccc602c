import {
  changePassword,
  closed,
  conflicts,
  describe,
  explain,
  loadPage,
  mendable,
  never,
  refusals,
  type Words,
} from './error-words.ts';

/** What subscribers read when an action fails; operators have `operators-errors.ts`, which no public page has to load. */
const catalogue = {
  'sign up': {
    fallback: 'Something went wrong. Please try again.',
    shows: conflicts,
    explains: mendable,
  },
  'log in': {
    fallback: 'Login failed. Please check your credentials.',
    shows: never,
    explains: closed,
  },
  'set password': {
    fallback:
      'Failed to set password. Please ensure you entered the correct email or phone number you used during signup.',
    shows: never,
    explains: mendable,
  },
  'update profile': {
    fallback: 'Failed to update profile. Please try again.',
    shows: never,
    explains: mendable,
  },
  'toggle delivery': {
    fallback: 'Failed to update delivery settings. Please try again.',
    shows: never,
    explains: mendable,
  },
  'change password': changePassword,
  'send support message': {
    fallback: 'Failed to send support message. Please try again.',
    shows: never,
    explains: mendable,
  },
  'send contact message': {
    fallback: 'Your message could not be sent. Please try again.',
    shows: never,
    explains: mendable,
  },
  'generate referral code': {
    fallback: 'Failed to generate referral code. Please try again.',
    shows: never,
  },
  'change plan': {
    fallback: 'Your plan could not be changed. Please try again.',
    shows: refusals,
  },
  'open billing page': {
    fallback: 'The billing page could not be opened. Please try again.',
    shows: refusals,
  },
  'ask for consent': {
    fallback: 'The question could not be sent again. Please try again.',
    shows: refusals,
  },
  'confirm email': {
    fallback: 'Your answer could not be sent. Please try again.',
    shows: refusals,
  },
  'confirm phone': {
    fallback: 'Your number could not be confirmed. Please try again.',
    shows: refusals,
  },
  'send confirmation': {
    fallback: 'The email could not be sent. Please try again.',
    shows: refusals,
  },
  'export data': {
    fallback: 'Your data could not be put together. Please try again.',
    shows: never,
    explains: mendable,
  },
  'delete account': {
    fallback: 'Your account could not be deleted. Please try again.',
    shows: refusals,
  },
  'load page': loadPage,
} satisfies Record<string, Words>;

export type Action = keyof typeof catalogue;

export const describeError = (action: Action, error: unknown): string =>
  describe(catalogue[action], error);

export const explainError = (action: Action, error: unknown): string | null =>
  explain(catalogue[action], error);
