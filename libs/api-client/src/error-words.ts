import { ApiError } from './request.ts';

type Which = (error: ApiError) => boolean;

/**
 * What a person reads when an action fails. `shows` says for which answers the server's own sentence stands instead of
 * `fallback`, `explains` for which it follows it.
 */
export interface Words {
  fallback: string;
  shows: Which;
  explains?: Which;
}

export const never: Which = () => false;
/** The server refused and said why; a fault of the server is never shown. */
export const refusals: Which = (error) => error.status >= 400 && error.status < 500;
export const conflicts: Which = (error) => error.status === 409;
/** Says when to try again. */
const tooMany: Which = (error) => error.status === 429;
/** What the person can mend or must know: no connection, a field that does not pass, too many tries. */
export const mendable: Which = (error) => [0, 400, 409, 422, 429].includes(error.status);
export const closed: Which = (error) => [0, 403, 429].includes(error.status);

export const changePassword: Words = { fallback: 'Failed to change password', shows: refusals };
export const loadPage: Words = {
  fallback: 'This could not be loaded. Please try again.',
  shows: tooMany,
};

/** Turns whatever a call threw into the sentence that the person reads. */
export const describe = (words: Words, error: unknown): string =>
  error instanceof ApiError && words.shows(error) ? error.detail : words.fallback;

/** The server's reason, to stand after `describe` where it helps and does not repeat it. */
export const explain = (words: Words, error: unknown): string | null => {
  if (!(error instanceof ApiError) || words.shows(error)) return null;
  return words.explains?.(error) && error.detail !== words.fallback ? error.detail : null;
};
