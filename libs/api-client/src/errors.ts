import { ApiError } from './request.ts';

/**
 * The error catalogue: what a person reads when an action fails. `shows` says for which answers the
 * server's own sentence is better than the catalogue's.
 */
type Shows = (error: ApiError) => boolean;
interface Words {
  fallback: string;
  shows: Shows;
}

const never: Shows = () => false;
/** The server refused and said why; a fault of the server is never shown. */
const refusals: Shows = (error) => error.status >= 400 && error.status < 500;
/** What the visitor can mend: a field that does not pass, an account that exists, too many tries. */
const mendable: Shows = (error) => [400, 409, 422, 429].includes(error.status);
const tooMany: Shows = (error) => error.status === 429;

const catalogue = {
  'sign up': { fallback: 'Something went wrong. Please try again.', shows: mendable },
  'log in': { fallback: 'Login failed. Please check your credentials.', shows: tooMany },
  'set password': {
    fallback:
      'Failed to set password. Please ensure you entered the correct email or phone number you used during signup.',
    shows: tooMany,
  },
  'update profile': { fallback: 'Failed to update profile. Please try again.', shows: never },
  'toggle delivery': {
    fallback: 'Failed to update delivery settings. Please try again.',
    shows: never,
  },
  'load page': { fallback: 'This could not be loaded. Please try again.', shows: never },
  'admin log in': { fallback: 'Invalid credentials', shows: tooMany },
  "send today's message": { fallback: "Error sending today's message", shows: refusals },
  'create user': { fallback: 'Error creating user', shows: refusals },
  'update user status': { fallback: 'Error updating user status', shows: refusals },
  'delete user': { fallback: 'Error deleting user', shows: refusals },
  'create scheduled message': { fallback: 'Error creating scheduled message', shows: refusals },
  'send scheduled message': { fallback: 'Error sending scheduled message', shows: refusals },
  'delete scheduled message': { fallback: 'Error deleting scheduled message', shows: refusals },
  'run scheduler': { fallback: 'Error running scheduler', shows: refusals },
  'process queue': { fallback: 'Error processing queue', shows: refusals },
} satisfies Record<string, Words>;

export type Action = keyof typeof catalogue;

/** Turns whatever a call threw into the sentence that the person reads. */
export const describeError = (action: Action, error: unknown): string => {
  const words: Words = catalogue[action];
  return error instanceof ApiError && words.shows(error) ? error.detail : words.fallback;
};
