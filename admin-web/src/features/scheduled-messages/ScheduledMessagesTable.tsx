import { describeError } from '@daylift/api-client/errors';
import type { ScheduledMessage } from '@daylift/contracts/content.http';
import { ConfirmDialog } from '@daylift/ui/ConfirmDialog';
import { EmptyState } from '@daylift/ui/EmptyState';
import { ErrorState } from '@daylift/ui/ErrorState';
import { formatCount, formatHour, formatLocalDate } from '@daylift/ui/formats';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { Badge } from '@daylift/ui/StatusBadge';
import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { notifyDone } from '../../components/notify.ts';
import { type StaffSend, scheduledMessage } from '../../components/staff-send.ts';
import { TablePages } from '../../components/TablePages.tsx';
import {
  pageSize,
  scheduledMessagesQuery,
  useDeleteScheduledMessage,
} from './scheduled-messages.queries.ts';

const previewLength = 50;
const preview = (text: string): string =>
  text.length > previewLength ? `${text.slice(0, previewLength)}...` : text;

const deliveryStats = (message: ScheduledMessage): string => {
  if (message.total_recipients === 0) return 'None yet';
  const parts = [
    `${formatCount(message.successful_sends)} sent`,
    `${formatCount(message.failed_sends)} failed`,
  ];
  if (message.pending_sends > 0) parts.push(`${formatCount(message.pending_sends)} on their way`);
  return parts.join(', ');
};

const describeColumns = (
  onSend: (send: StaffSend) => void,
  onDelete: (message: ScheduledMessage) => void,
): Column<ScheduledMessage>[] => [
  { header: 'Title', cell: (message) => <Text fw={700}>{message.title}</Text> },
  { header: 'Content', cell: (message) => preview(message.content) },
  { header: 'Date', cell: (message) => formatLocalDate(message.scheduled_date) },
  {
    header: 'Time',
    cell: (message) =>
      message.category === 'announcement' ? formatHour(message.scheduled_time) : 'Their own hour',
  },
  {
    header: 'Status',
    cell: (message) => (
      <Badge tone={message.is_sent ? 'green' : 'sky'}>
        {message.is_sent ? 'Sent' : 'Scheduled'}
      </Badge>
    ),
  },
  { header: 'Delivery', cell: deliveryStats },
  {
    header: 'Actions',
    cell: (message) =>
      message.is_sent ? null : (
        <Group gap="xs" wrap="nowrap">
          <Button size="xs" h={44} onClick={() => onSend(scheduledMessage(message.id))}>
            Send Now<VisuallyHidden>: {message.title}</VisuallyHidden>
          </Button>
          <Button size="xs" h={44} variant="default" onClick={() => onDelete(message)}>
            Delete<VisuallyHidden>: {message.title}</VisuallyHidden>
          </Button>
        </Group>
      ),
  },
];

export const ScheduledMessagesTable = ({ onSend }: { onSend: (send: StaffSend) => void }) => {
  const [offset, setOffset] = useState(0);
  const [deleting, setDeleting] = useState<ScheduledMessage | null>(null);
  const { data, error, isError, isPending, isFetching, refetch } = useQuery(
    scheduledMessagesQuery(offset),
  );
  if (isPending) return <TextSkeleton lines={5} />;
  if (isError && !data) {
    return (
      <ErrorState
        message={describeError('load page', error)}
        onRetry={() => void refetch()}
        busy={isFetching}
      />
    );
  }
  return (
    <>
      {data.rows.length === 0 ? (
        <EmptyState title="No messages scheduled">
          On days without one, subscribers get a text from the library.
        </EmptyState>
      ) : (
        <>
          <DataTable
            label="Scheduled messages"
            columns={describeColumns(onSend, setDeleting)}
            rows={data.rows}
            rowKey={(message) => message.id}
          />
          <TablePages offset={offset} limit={pageSize} total={data.total} onChange={setOffset} />
        </>
      )}
      <DeleteDialog message={deleting} onClose={() => setDeleting(null)} />
    </>
  );
};

const DeleteDialog = ({
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
        <strong>{message?.title}</strong> will not be sent. Subscribers get a text from the library
        on that day instead.
      </Text>
    </ConfirmDialog>
  );
};
