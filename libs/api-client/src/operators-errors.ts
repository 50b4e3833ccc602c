import {
  changePassword,
  closed,
  describe,
  loadPage,
  mendable,
  refusals,
  type Words,
} from './error-words.ts';
import { ApiError } from './request.ts';

const catalogue = {
  'change password': changePassword,
  'load page': loadPage,
  'admin log in': { fallback: 'Sign-in failed.', shows: closed },
  'accept invitation': {
    fallback: 'Error setting your password. Please try again.',
    shows: mendable,
  },
  'read audit log': {
    fallback: 'Error loading the audit log. Please try again.',
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
  'order questions': { fallback: 'Error reordering questions', shows: refusals },
  'delete question': { fallback: 'Error deleting question', shows: refusals },
  'run scheduler': { fallback: 'Error running scheduler', shows: refusals },
  'update testing mode': {
    fallback: 'Error updating testing mode settings',
    shows: refusals,
  },
  'update alert settings': { fallback: 'Error updating alert settings', shows: refusals },
  'export delivery logs': { fallback: 'Error exporting delivery logs', shows: refusals },
  'process queue': { fallback: 'Error processing queue', shows: refusals },
  'answer letter': { fallback: 'Error sending the reply. Please try again.', shows: refusals },
  'change conversation': {
    fallback: 'Error updating the conversation. Please try again.',
    shows: refusals,
  },
  'replay parked': { fallback: 'Replay failed. The event is still listed.', shows: refusals },
  'discard parked': { fallback: 'Discard failed. The event is still listed.', shows: refusals },
  'freeze sending': {
    fallback: 'Error freezing sending. Please try again.',
    shows: refusals,
  },
  'resume sending': {
    fallback: 'Error resuming sending. Please try again.',
    shows: refusals,
  },
  'try provider': {
    fallback: 'Error testing the provider. Please try again.',
    shows: refusals,
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
