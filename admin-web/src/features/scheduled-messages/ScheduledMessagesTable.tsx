import type { ScheduledMessage } from '@daylift/contracts/content.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { formatHour, formatLocalDate } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge } from '@daylift/ui/StatusBadge';
import { ActionIcon, Group, Menu, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { type ManualSend, scheduledMessage } from '../../components/manual-send.ts';
import { RowButton } from '../../components/RowButton.tsx';
import { TablePages } from '../../components/TablePages.tsx';
import { Time } from '../../components/Time.tsx';
import { useLastPage } from '../../components/use-last-page.ts';
import { useScrollHere } from '../../components/use-scroll-here.ts';
import { useMay } from '../../session/use-admin.ts';
import { DeleteMessageDialog } from './DeleteMessageDialog.tsx';
import { EditMessageDialog } from './EditMessageDialog.tsx';
import { isFiltered, MessageFilters, noFilters } from './MessageFilters.tsx';
import { deliveryStats, messageStatus, preview } from './message-words.ts';
import classes from './ScheduledMessagesTable.module.css';
import { pageSize, scheduledMessagesQuery } from './scheduled-messages.queries.ts';
import { TestTextDialog } from './TestTextDialog.tsx';

const columns: Column<ScheduledMessage>[] = [
  { header: 'Title', isTitle: true, cell: (message) => <Text fw={700}>{message.title}</Text> },
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
      <>
        <Badge tone={messageStatus(message).tone}>{messageStatus(message).label}</Badge>
        {message.sent_early && message.sent_at !== null ? (
          <Text c="dimmed" fz="sm">
            Early, <Time at={message.sent_at} />
          </Text>
        ) : null}
      </>
    ),
  },
  { header: 'Delivery', cell: deliveryStats },
];

type MessageHandler = (message: ScheduledMessage) => void;

interface RowActions {
  onSend: MessageHandler;
  onEdit: MessageHandler;
  onDelete: MessageHandler;
  onDuplicate: MessageHandler;
  onTest: MessageHandler;
}

const Actions = ({
  message,
  actions: { onSend, onEdit, onDelete, onDuplicate, onTest },
}: {
  message: ScheduledMessage;
  actions: RowActions;
}) => (
  <Group gap="xs" className={classes.actions}>
    {message.is_sent ? null : (
      <>
        <RowButton label="Send Now" row={message.title} onClick={() => onSend(message)} />
        <RowButton label="Edit" row={message.title} onClick={() => onEdit(message)} />
        <RowButton label="Delete" row={message.title} onClick={() => onDelete(message)} />
      </>
    )}
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={44} aria-label={`More actions: ${message.title}`}>
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item mih={44} onClick={() => onDuplicate(message)}>
          Duplicate
        </Menu.Item>
        <Menu.Item mih={44} onClick={() => onTest(message)}>
          Send test to my phone
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  </Group>
);

const actionsColumn = (actions: RowActions): Column<ScheduledMessage> => ({
  header: 'Actions',
  cell: (message) => <Actions message={message} actions={actions} />,
});

export const ScheduledMessagesTable = ({
  title,
  onSend,
  onDuplicate,
}: {
  /** Searched for first. If not empty, the table scrolls into view. */
  title: string;
  onSend: (send: ManualSend) => void;
  onDuplicate: MessageHandler;
}) => {
  const may = useMay('operator');
  const ref = useScrollHere();
  const [offset, setOffset] = useState(0);
  const [filters, setFilters] = useState({ ...noFilters, search: title });
  const [search] = useDebouncedValue(filters.search, 300);
  const [editing, setEditing] = useState<ScheduledMessage | null>(null);
  const [deleting, setDeleting] = useState<ScheduledMessage | null>(null);
  const query = useQuery(scheduledMessagesQuery({ ...filters, search }, offset));
  useLastPage(query.data, { offset, limit: pageSize, onChange: setOffset });
  const [testing, setTesting] = useState<ScheduledMessage | null>(null);
  const actions = actionsColumn({
    onSend: (message) => onSend(scheduledMessage(message.id)),
    onEdit: setEditing,
    onDelete: setDeleting,
    onDuplicate,
    onTest: setTesting,
  });
  return (
    <QueryView query={query} lines={5}>
      {(data) => (
        <Stack gap="md" tabIndex={-1} {...(title !== '' && { ref })}>
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
          <TestTextDialog message={testing} onClose={() => setTesting(null)} />
          <DeleteMessageDialog message={deleting} onClose={() => setDeleting(null)} />
        </Stack>
      )}
    </QueryView>
  );
};
