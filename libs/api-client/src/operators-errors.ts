import {
  changePassword,
  describe,
  isClientError,
  isClosed,
  isFixable,
  loadPage,
  type Words,
  wordsOf,
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
  ...wordsOf(
    { shows: isClientError },
    {
      'read audit log': 'Error loading the audit log. Please try again.',
      'read business figures': 'Error loading the figures. Please try again.',
      'read price moves': 'Error loading the prices. Please try again.',
      'move prices': 'Error moving subscribers to the new price',
      'stop move': 'Error stopping the move',
      'read promotions': 'Error loading the promotion codes. Please try again.',
      'create promotion': 'Error creating promotion code',
      'deactivate promotion': 'Error deactivating promotion code',
      'read gifts': 'Error loading the gifts. Please try again.',
      'change gift': 'Error changing the gift',
      'invite admin': 'Error inviting admin',
      'change admin': 'Error changing admin',
      'add sender': 'Error adding sender',
      'change sender': 'Error changing sender',
      'resume batch': 'Error resuming batch',
      'cancel batch': 'Error canceling batch',
      'set up two-step sign-in': 'Error setting up two-step sign-in',
      'turn off two-step sign-in': 'Error turning off two-step sign-in',
      "send today's message": "Error sending today's message",
      'create user': 'Error creating user',
      'update user status': 'Error updating user status',
      'update user': 'Error updating subscriber',
      'opt out user': 'Error opting the subscriber out',
      'delete user': 'Error deleting user',
      'change subscription': 'Error changing the subscription',
      'create scheduled message': 'Error creating scheduled message',
      'send scheduled message': 'Error sending scheduled message',
      'delete scheduled message': 'Error deleting scheduled message',
      'send test text': 'Error sending the test text',
      'cancel held texts': 'Error canceling the held texts',
      'update scheduled message': 'Error updating scheduled message',
      'import messages': 'Error importing messages',
      'create template': 'Error creating template',
      'update template': 'Error updating template',
      'update sequence text': 'Error updating sequence text',
      'delete template': 'Error deleting template',
      'create question': 'Error creating question',
      'update question': 'Error updating question',
      'order questions': 'Error reordering questions',
      'delete question': 'Error deleting question',
      'run scheduler': 'Error running scheduler',
      'update testing mode': 'Error updating testing mode settings',
      'update alert settings': 'Error updating alert settings',
      'update credit settings': 'Error updating credit settings',
      'export delivery logs': 'Error exporting delivery logs',
      'process queue': 'Error processing queue',
      'send reply': 'Error sending the reply. Please try again.',
      'save reply': 'Error saving the reply. Please try again.',
      'delete saved reply': 'Error deleting the saved reply. Please try again.',
      'change conversation': 'Error updating the conversation. Please try again.',
      'replay failed event': 'Replay failed. The event is still listed.',
      'discard failed event': 'Discard failed. The event is still listed.',
      'freeze sending': 'Error freezing sending. Please try again.',
      'resume sending': 'Error resuming sending. Please try again.',
      'try provider': 'Error testing the provider. Please try again.',
    },
  ),
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
