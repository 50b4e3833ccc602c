import type { ScheduledMessage } from '@daylift/contracts/content.http';
import { formatLocalDate } from '@daylift/ui/formats';
import { Text } from '@mantine/core';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { useDeleteScheduledMessage } from './scheduled-messages.queries.ts';

export const DeleteMessageDialog = ({
  message,
  onClose,
}: {
  message: ScheduledMessage | null;
  onClose: () => void;
}) => {
  const remove = useDeleteScheduledMessage();
  return (
    <ActionDialog
      input={message?.id ?? null}
      mutation={remove}
      title="Delete this message?"
      confirmLabel="Delete"
      tone="danger"
      action="delete scheduled message"
      done={() => `"${message?.title}" was deleted.`}
      onClose={onClose}
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
    </ActionDialog>
  );
};
