import { type Action, describeError, explainError } from '@daylift/api-client/errors';
import { notifications } from '@mantine/notifications';

export const announce = (
  outcome: string,
  kind: 'good' | 'bad',
  reason: string | null = null,
): void => {
  notifications.show({
    ...(reason === null ? { message: outcome } : { title: outcome, message: reason }),
    color: kind === 'good' ? 'green' : 'red',
    autoClose: kind === 'good' ? 6000 : 10_000,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close' },
  });
};

/** Shows a toast for a failed action, with the server's reason. */
export const announceFailure = (action: Action, error: unknown): void =>
  announce(describeError(action, error), 'bad', explainError(action, error));
