import { notifications } from '@mantine/notifications';

/** Says once what an action came to. */
export const announce = (message: string, kind: 'good' | 'bad'): void => {
  notifications.show({
    message,
    color: kind === 'good' ? 'green' : 'red',
    autoClose: kind === 'good' ? 6000 : 10_000,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close' },
  });
};
