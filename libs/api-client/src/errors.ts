import { ApiError } from './request.ts';

/**
 * The error catalogue: what a person reads when an action fails. `shows` says for which answers the
 * server's own sentence stands instead of the catalogue's, `explains` for which it follows it.
 */
type Which = (error: ApiError) => boolean;
interface Words {
  fallback: string;
  shows: Which;
  explains?: Which;
}

const never: Which = () => false;
/** The server refused and said why; a fault of the server is never shown. */
const refusals: Which = (error) => error.status >= 400 && error.status < 500;
const conflicts: Which = (error) => error.status === 409;
/** Says when to try again. */
const tooMany: Which = (error) => error.status === 429;
/** What the person can mend or must know: no connection, a field that does not pass, too many tries. */
const mendable: Which = (error) => [0, 400, 409, 422, 429].includes(error.status);
const closed: Which = (error) => [0, 403, 429].includes(error.status);

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
  'change password': { fallback: 'Failed to change password', shows: refusals },
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
  'export data': {
    fallback: 'Your data could not be put together. Please try again.',
    shows: never,
    explains: mendable,
  },
  'delete account': {
    fallback: 'Your account could not be deleted. Please try again.',
    shows: refusals,
  },
  'load page': { fallback: 'This could not be loaded. Please try again.', shows: tooMany },
  'admin log in': { fallback: 'Invalid credentials', shows: closed },
  'accept invitation': {
    fallback: 'Your password could not be set. Please try again.',
    shows: mendable,
  },
  'read audit log': {
    fallback: 'The audit log could not be loaded. Please try again.',
    shows: refusals,
  },
  'invite admin': { fallback: 'Error inviting admin', shows: refusals },
  'change admin': { fallback: 'Error changing admin', shows: refusals },
  'set up two-step sign-in': {
    fallback: 'Error setting up two-step sign-in',
    shows: refusals,
  },
  'turn off two-step sign-in': {
    fallback: 'Error turning off two-step sign-in',
    shows: refusals,
  },
  "send today's message": { fallback: "Error sending today's message", shows: refusals },
  'create user': { fallback: 'Error creating user', shows: refusals },
  'update user status': { fallback: 'Error updating user status', shows: refusals },
  'delete user': { fallback: 'Error deleting user', shows: refusals },
  'create scheduled message': { fallback: 'Error creating scheduled message', shows: refusals },
  'send scheduled message': { fallback: 'Error sending scheduled message', shows: refusals },
  'delete scheduled message': { fallback: 'Error deleting scheduled message', shows: refusals },
  'update scheduled message': { fallback: 'Error updating scheduled message', shows: refusals },
  'import messages': { fallback: 'Error importing messages', shows: refusals },
  'create template': { fallback: 'Error creating template', shows: refusals },
  'update template': { fallback: 'Error updating template', shows: refusals },
  'delete template': { fallback: 'Error deleting template', shows: refusals },
  'create question': { fallback: 'Error creating question', shows: refusals },
  'update question': { fallback: 'Error updating question', shows: refusals },
  'order questions': { fallback: 'Error changing the order of questions', shows: refusals },
  'delete question': { fallback: 'Error deleting question', shows: refusals },
  'run scheduler': { fallback: 'Error running scheduler', shows: refusals },
  'update testing mode': {
    fallback: 'Error updating testing mode settings',
    shows: refusals,
  },
  'update alert settings': { fallback: 'Error updating alert settings', shows: refusals },
  'export delivery logs': { fallback: 'Error exporting delivery logs', shows: refusals },
  'process queue': { fallback: 'Error processing queue', shows: refusals },
  'answer letter': { fallback: 'Error sending the answer. Please try again.', shows: refusals },
  'change conversation': { fallback: 'Error changing this. Please try again.', shows: refusals },
  'replay parked': { fallback: 'Error replaying. It is still parked.', shows: refusals },
  'discard parked': { fallback: 'Error discarding. It is still parked.', shows: refusals },
  'freeze sending': {
    fallback: 'Sending could not be frozen. Please try again.',
    shows: refusals,
  },
  'start sending again': {
    fallback: 'Sending could not be started again. Please try again.',
    shows: refusals,
  },
  'try provider': {
    fallback: 'The provider could not be tried. Please try again.',
    shows: refusals,
  },
} satisfies Record<string, Words>;

export type Action = keyof typeof catalogue;

/** Turns whatever a call threw into the sentence that the person reads. */
export const describeError = (action: Action, error: unknown): string => {
  const words: Words = catalogue[action];
  return error instanceof ApiError && words.shows(error) ? error.detail : words.fallback;
};

/** The server's reason, to stand after `describeError` where it helps and does not repeat it. */
export const explainError = (action: Action, error: unknown): string | null => {
  const words: Words = catalogue[action];
  if (!(error instanceof ApiError) || words.shows(error)) return null;
  return words.explains?.(error) && error.detail !== words.fallback ? error.detail : null;
};
