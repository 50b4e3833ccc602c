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
