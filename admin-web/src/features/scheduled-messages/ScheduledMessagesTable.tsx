import type { ScheduledMessage } from '@daylift/contracts/content.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { formatHour, formatLocalDate } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge } from '@daylift/ui/StatusBadge';
import { Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { type ManualSend, scheduledMessage } from '../../components/manual-send.ts';
import { RowButton } from '../../components/RowButton.tsx';
import { TablePages } from '../../components/TablePages.tsx';
import { useMay } from '../../session/use-admin.ts';
import { DeleteMessageDialog } from './DeleteMessageDialog.tsx';
import { EditMessageDialog } from './EditMessageDialog.tsx';
import { isFiltered, MessageFilters, noFilters } from './MessageFilters.tsx';
import { deliveryStats, preview } from './message-words.ts';
import classes from './ScheduledMessagesTable.module.css';
import { pageSize, scheduledMessagesQuery } from './scheduled-messages.queries.ts';

const columns: Column<ScheduledMessage>[] = [
  { header: 'Title', cell: (message) => <Text fw={700}>{message.title}</Text> },
  { header: 'Content', cell: (message) => preview(message.content) },
  {
    header: 'Date',
    cell: (message) => (
      <span className={classes.date}>{formatLocalDate(message.scheduled_date)}</span>
    ),
  },
  {
    header: 'Time',
    cell: (message) =>
      message.category === 'announcement'
        ? formatHour(message.scheduled_time)
        : "Subscriber's hour",
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
];

type Ask = (message: ScheduledMessage) => void;

const Actions = ({
  message,
  onSend,
  onEdit,
  onDelete,
}: {
  message: ScheduledMessage;
  onSend: Ask;
  onEdit: Ask;
  onDelete: Ask;
}) => (
  <Group gap="xs" className={classes.actions}>
    {message.is_sent ? null : (
      <>
        <RowButton
          label="Send Now"
          row={message.title}
          variant="filled"
          onClick={() => onSend(message)}
        />
        <RowButton label="Edit" row={message.title} onClick={() => onEdit(message)} />
      </>
    )}
    <RowButton
      label="Delete"
      row={message.title}
      disabled={message.is_sent}
      onClick={() => onDelete(message)}
    />
    {message.is_sent ? (
      <Text c="dimmed" fz="sm">
        Can't delete: already sent
      </Text>
    ) : null}
  </Group>
);

const actionsColumn = (onSend: Ask, onEdit: Ask, onDelete: Ask): Column<ScheduledMessage> => ({
  header: 'Actions',
  cell: (message) => (
    <Actions message={message} onSend={onSend} onEdit={onEdit} onDelete={onDelete} />
  ),
});

export const ScheduledMessagesTable = ({ onSend }: { onSend: (send: ManualSend) => void }) => {
  const may = useMay('operator');
  const [offset, setOffset] = useState(0);
  const [filters, setFilters] = useState(noFilters);
  const [search] = useDebouncedValue(filters.search, 300);
  const [editing, setEditing] = useState<ScheduledMessage | null>(null);
  const [deleting, setDeleting] = useState<ScheduledMessage | null>(null);
  const query = useQuery(scheduledMessagesQuery({ ...filters, search }, offset));
  const actions = actionsColumn(
    (message) => onSend(scheduledMessage(message.id)),
    setEditing,
    setDeleting,
  );
  return (
    <QueryView query={query} lines={5}>
      {(data) => (
        <Stack gap="md">
          <MessageFilters
            filters={filters}
            onChange={(change) => {
              setFilters({ ...filters, ...change });
              setOffset(0);
            }}
          />
          {data.rows.length === 0 ? (
            isFiltered(filters) ? (
              <EmptyState title="No matches">Try another search.</EmptyState>
            ) : (
              <EmptyState title="No scheduled messages">
                On days without a message, subscribers get one from the template library.
              </EmptyState>
            )
          ) : (
            <div>
              <DataTable
                label="Scheduled messages"
                columns={may ? [...columns, actions] : columns}
                rows={data.rows}
                rowKey={(message) => message.id}
              />
              <TablePages
                offset={offset}
                limit={pageSize}
                total={data.total}
                onChange={setOffset}
              />
            </div>
          )}
          <EditMessageDialog message={editing} onClose={() => setEditing(null)} />
          <DeleteMessageDialog message={deleting} onClose={() => setDeleting(null)} />
        </Stack>
      )}
    </QueryView>
  );
};
