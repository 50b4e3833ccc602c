import { describeError } from '@daylift/api-client/operators-errors';
import type { ScheduledMessage } from '@daylift/contracts/content.http';
import { ConfirmDialog } from '@daylift/ui/ConfirmDialog';
import { formatLocalDate } from '@daylift/ui/formats';
import { Text } from '@mantine/core';
import { notifyDone } from '../../components/notify.ts';
import { useDeleteScheduledMessage } from './scheduled-messages.queries.ts';

export const DeleteMessageDialog = ({
  message,
  onClose,
}: {
  message: ScheduledMessage | null;
  onClose: () => void;
}) => {
  const remove = useDeleteScheduledMessage();
  const close = () => {
    remove.reset();
    onClose();
  };
  const confirm = (one: ScheduledMessage) =>
    remove.mutate(one.id, {
      onSuccess: () => {
        notifyDone(`"${one.title}" was deleted.`);
        close();
      },
    });
  return (
    <ConfirmDialog
      opened={message !== null}
      title="Delete this message?"
      confirmLabel="Delete"
      tone="danger"
      busy={remove.isPending}
      error={remove.isError ? describeError('delete scheduled message', remove.error) : null}
      onConfirm={() => message && confirm(message)}
      onClose={close}
    >
      <Text>
        <strong>{message?.title}</strong> will not be sent
        {message ? ` on ${formatLocalDate(message.scheduled_date)}` : ''}.
        {message?.category === 'daily_motivation'
          ? ' Subscribers will get a library text that day instead.'
          : ''}
        {message && message.total_recipients > 0
          ? ' Texts that were already sent are not affected.'
          : ''}
      </Text>
    </ConfirmDialog>
  );
};
