import { notifications } from '@mantine/notifications';

/** Says that something was done; read out as it appears. */
export const notifyDone = (message: string): void => {
  notifications.show({
    message,
    color: 'green',
    autoClose: 6_000,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  });
};
