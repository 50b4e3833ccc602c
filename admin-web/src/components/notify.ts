import { type Action, describeError } from '@daylift/api-client/errors';
import { notifications } from '@mantine/notifications';

/** Says that something was done; read out as it appears. */
export const notifyDone = (message: string): void => {
  notifications.show({ message, color: 'green', autoClose: 6_000 });
};

export const notifyFailed = (action: Action, error: unknown): void => {
  notifications.show({ message: describeError(action, error), color: 'red', autoClose: 10_000 });
};
