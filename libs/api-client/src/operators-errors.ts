import {
  changePassword,
  describe,
  isClientError,
  isClosed,
  isFixable,
  loadPage,
  type Words,
} from './error-words.ts';
import { ApiError } from './request.ts';

const catalogue = {
  'change password': changePassword,
  'load page': loadPage,
  'admin log in': { fallback: 'Sign-in failed.', shows: isClosed },
  'accept invitation': {
    fallback: 'Error setting your password. Please try again.',
    shows: isFixable,
  },
  'read audit log': {
    fallback: 'Error loading the audit log. Please try again.',
    shows: isClientError,
  },
  'invite admin': { fallback: 'Error inviting admin', shows: isClientError },
  'change admin': { fallback: 'Error changing admin', shows: isClientError },
  'set up two-step sign-in': {
    fallback: 'Error setting up two-step sign-in',
    shows: isClientError,
  },
  'turn off two-step sign-in': {
    fallback: 'Error turning off two-step sign-in',
    shows: isClientError,
  },
  "send today's message": { fallback: "Error sending today's message", shows: isClientError },
  'create user': { fallback: 'Error creating user', shows: isClientError },
  'update user status': { fallback: 'Error updating user status', shows: isClientError },
  'delete user': { fallback: 'Error deleting user', shows: isClientError },
  'create scheduled message': {
    fallback: 'Error creating scheduled message',
    shows: isClientError,
  },
  'send scheduled message': { fallback: 'Error sending scheduled message', shows: isClientError },
  'delete scheduled message': {
    fallback: 'Error deleting scheduled message',
    shows: isClientError,
  },
  'update scheduled message': {
    fallback: 'Error updating scheduled message',
    shows: isClientError,
  },
  'import messages': { fallback: 'Error importing messages', shows: isClientError },
  'create template': { fallback: 'Error creating template', shows: isClientError },
  'update template': { fallback: 'Error updating template', shows: isClientError },
  'delete template': { fallback: 'Error deleting template', shows: isClientError },
  'create question': { fallback: 'Error creating question', shows: isClientError },
  'update question': { fallback: 'Error updating question', shows: isClientError },
  'order questions': { fallback: 'Error reordering questions', shows: isClientError },
  'delete question': { fallback: 'Error deleting question', shows: isClientError },
  'run scheduler': { fallback: 'Error running scheduler', shows: isClientError },
  'update testing mode': {
    fallback: 'Error updating testing mode settings',
    shows: isClientError,
  },
  'update alert settings': { fallback: 'Error updating alert settings', shows: isClientError },
  'export delivery logs': { fallback: 'Error exporting delivery logs', shows: isClientError },
  'process queue': { fallback: 'Error processing queue', shows: isClientError },
  'answer letter': { fallback: 'Error sending the reply. Please try again.', shows: isClientError },
  'change conversation': {
    fallback: 'Error updating the conversation. Please try again.',
    shows: isClientError,
  },
  'replay failed event': {
    fallback: 'Replay failed. The event is still listed.',
    shows: isClientError,
  },
  'discard failed event': {
    fallback: 'Discard failed. The event is still listed.',
    shows: isClientError,
  },
  'freeze sending': {
    fallback: 'Error freezing sending. Please try again.',
    shows: isClientError,
  },
  'resume sending': {
    fallback: 'Error resuming sending. Please try again.',
    shows: isClientError,
  },
  'try provider': {
    fallback: 'Error testing the provider. Please try again.',
    shows: isClientError,
  },
} satisfies Record<string, Words>;

export type Action = keyof typeof catalogue;

/** Server errors include their detail, because operators can act on it. */
export function describeError(action: Action, error: unknown): string {
  const isLogin = action === 'admin log in';
  if (!(error instanceof ApiError)) return describe(catalogue[action], error);
  if (isLogin && error.status === 401) return 'Invalid credentials';
  if (error.status < 500) return describe(catalogue[action], error);
  const { fallback } = catalogue[action];
  return `${fallback.endsWith('.') ? fallback : `${fallback}.`} ${error.detail}`;
}
