import { notifications } from '@mantine/notifications';

/** Shows a success toast, replacing earlier ones, which may be out of date. */
export const notifyDone = (message: string): void => {
  notifications.clean();
  notifications.show({
    message,
    color: 'green',
    autoClose: 6_000,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  });
};
