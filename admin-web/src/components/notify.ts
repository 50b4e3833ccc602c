import { notifications } from '@mantine/notifications';

/** Says that something was done; read out as it appears. What was said before may be true no longer, so it goes. */
export const notifyDone = (message: string): void => {
  notifications.clean();
  notifications.show({
    message,
    color: 'green',
    autoClose: 6_000,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  });
};
