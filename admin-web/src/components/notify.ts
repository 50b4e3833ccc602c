import { notifications } from '@mantine/notifications';

/** Shows the result of an action, replacing earlier ones, which may be out of date. */
const notify =
  (color: 'green' | 'red') =>
  (message: string): void => {
    notifications.clean();
    notifications.show({
      message,
      color,
      autoClose: 6_000,
      closeButtonProps: { 'aria-label': 'Dismiss' },
    });
  };

export const notifyDone = notify('green');
export const notifyFailed = notify('red');
