import type { AdminUser } from '@daylift/contracts/accounts.http';
import { formatDayAndHour, formatHour, formatZone } from '@daylift/ui/formats';
import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { SubscriberLink } from '../../components/SubscriberLink.tsx';
import { useMay } from '../../session/use-admin.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { StatusBadges } from './StatusBadges.tsx';
import { StatusDialog } from './StatusDialog.tsx';

const facts: Column<AdminUser>[] = [
  {
    header: 'Name',
    cell: (user) => (
      <Text component="span" fw={700}>
        <SubscriberLink id={user.id}>{user.name}</SubscriberLink>
      </Text>
    ),
  },
  { header: 'Email', cell: (user) => user.email },
  { header: 'Phone', cell: (user) => user.phone },
  { header: 'Status', cell: (user) => <StatusBadges user={user} /> },
  {
    header: 'Delivery time',
    cell: (user) => (
      <span>
        {formatHour(user.delivery_time)}, {user.delivery_frequency}
        <Text component="span" c="dimmed" fz="sm" display="block">
          {formatZone(user.timezone)}
        </Text>
      </span>
    ),
  },
  {
    header: 'Last message',
    cell: (user) =>
      user.last_message_sent ? formatDayAndHour(user.last_message_sent, user.timezone) : 'Never',
  },
];

export const SubscribersTable = ({ users }: { users: AdminUser[] }) => {
  const mayManage = useMay('operator');
  const mayDelete = useMay('owner');
  const [toggled, setToggled] = useState<AdminUser | null>(null);
  const [deleted, setDeleted] = useState<AdminUser | null>(null);
  const actions: Column<AdminUser> = {
    header: 'Actions',
    cell: (user) => (
      <Group gap="xs" wrap="nowrap">
        <Button size="xs" h={44} variant="default" onClick={() => setToggled(user)}>
          {user.is_active ? 'Pause' : 'Activate'}
          <VisuallyHidden>: {user.name}</VisuallyHidden>
        </Button>
        {mayDelete ? (
          <Button size="xs" h={44} variant="light" color="red" onClick={() => setDeleted(user)}>
            Delete<VisuallyHidden>: {user.name}</VisuallyHidden>
          </Button>
        ) : null}
      </Group>
    ),
  };
  return (
    <>
      <DataTable
        label="Subscribers"
        columns={mayManage ? [...facts, actions] : facts}
        rows={users}
        rowKey={(user) => user.id}
      />
      <StatusDialog user={toggled} onClose={() => setToggled(null)} />
      <DeleteDialog user={deleted} onClose={() => setDeleted(null)} />
    </>
  );
};
