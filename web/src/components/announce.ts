import { type Action, describeError, explainError } from '@daylift/api-client/errors';
import { notifications } from '@mantine/notifications';

/** Says once what an action came to, and why if one knows. */
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

/** Says that an action failed, in the catalogue's words, and why. */
export const announceFailure = (action: Action, error: unknown): void =>
  announce(describeError(action, error), 'bad', explainError(action, error));
