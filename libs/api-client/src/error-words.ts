import { ApiError } from './request.ts';

type ErrorTest = (error: ApiError) => boolean;

/**
 * Message of a failed action. Errors selected by `shows` show the server's detail instead of `fallback`, and those
 * selected by `explains` show it after `fallback`.
 */
export interface Words {
  fallback: string;
  shows: ErrorTest;
  explains?: ErrorTest;
}

export const never: ErrorTest = () => false;
/** Client errors with a detail. Details of server errors are never shown. */
export const isClientError: ErrorTest = (error) => error.status >= 400 && error.status < 500;
export const isConflict: ErrorTest = (error) => error.status === 409;
/** Rate limits; the detail says when to try again. */
const isRateLimited: ErrorTest = (error) => error.status === 429;
/** Errors that the user can fix: no connection, an invalid field, too many attempts. */
export const isFixable: ErrorTest = (error) => [0, 400, 409, 422, 429].includes(error.status);
export const isClosed: ErrorTest = (error) => [0, 403, 429].includes(error.status);

/** Returns the words of actions that share their rules. */
export const wordsOf = <Action extends string>(
  rules: Omit<Words, 'fallback'>,
  fallbacks: Record<Action, string>,
): Record<Action, Words> =>
  Object.fromEntries(
    Object.entries<string>(fallbacks).map(([action, fallback]) => [action, { fallback, ...rules }]),
  ) as Record<Action, Words>;

export const changePassword: Words = {
  fallback: 'Failed to change password',
  shows: isClientError,
};
export const loadPage: Words = {
  fallback: "We couldn't load this. Please try again.",
  shows: isRateLimited,
};

export const describe = (words: Words, error: unknown): string =>
  error instanceof ApiError && words.shows(error) ? error.detail : words.fallback;

export const explain = (words: Words, error: unknown): string | null => {
  if (!(error instanceof ApiError) || words.shows(error)) return null;
  return words.explains?.(error) && error.detail !== words.fallback ? error.detail : null;
};
