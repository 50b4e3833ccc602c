import { describeError } from '@daylift/api-client/errors';
import type { AdminUser } from '@daylift/contracts/accounts.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { ErrorState } from '@daylift/ui/ErrorState';
import { formatDayAndHour, formatHour, formatZone } from '@daylift/ui/formats';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { Badge, SubscriptionStatusBadge } from '@daylift/ui/StatusBadge';
import { Group, Stack, Text, TextInput, Title, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Section } from '../../components/Section.tsx';
import { TablePages } from '../../components/TablePages.tsx';
import { pageSize, subscribersQuery } from './subscribers.queries.ts';

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Everything that keeps texts from somebody, beside the subscription itself. */
const StatusBadges = ({ user }: { user: AdminUser }) => (
  <Group gap={6}>
    <SubscriptionStatusBadge
      status={user.subscription_status}
      activeLabel={capitalized(user.plan)}
    />
    {user.is_active ? null : <Badge tone="grey">Paused</Badge>}
    {user.delivery_enabled ? null : <Badge tone="grey">Delivery off</Badge>}
    {user.opted_out ? <Badge tone="red">Stopped by reply</Badge> : null}
    {user.consent === 'pending' ? <Badge tone="yellow">Awaiting YES</Badge> : null}
  </Group>
);

const columns: Column<AdminUser>[] = [
  { header: 'Name', cell: (user) => <Text fw={700}>{user.name}</Text> },
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

export const SubscribersTab = () => {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const [offset, setOffset] = useState(0);
  const { data, error, isError, isPending, isFetching, refetch } = useQuery(
    subscribersQuery(search, offset),
  );
  return (
    <Stack gap="lg">
      <VisuallyHidden>
        <Title order={1}>Subscribers</Title>
      </VisuallyHidden>
      <Section title="Subscribers">
        <TextInput
          label="Search"
          placeholder="Name, email or phone"
          leftSection={<IconSearch size={18} aria-hidden />}
          value={typed}
          maxLength={100}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setOffset(0);
          }}
          mb="md"
          maw="28rem"
        />
        {isPending ? <TextSkeleton lines={6} /> : null}
        {isError && !data ? (
          <ErrorState
            message={describeError('load page', error)}
            onRetry={() => void refetch()}
            busy={isFetching}
          />
        ) : null}
        {data && data.rows.length === 0 ? (
          <EmptyState title={search === '' ? 'No subscribers yet' : 'Nobody fits this search'}>
            {search === ''
              ? 'They appear here as soon as they sign up.'
              : 'Try a part of the name, address or number.'}
          </EmptyState>
        ) : null}
        {data && data.rows.length > 0 ? (
          <>
            <DataTable
              label="Subscribers"
              columns={columns}
              rows={data.rows}
              rowKey={(user) => user.id}
            />
            <TablePages offset={offset} limit={pageSize} total={data.total} onChange={setOffset} />
          </>
        ) : null}
        <Text c="dimmed" fz="sm" mt="md">
          SMS provider: Telnyx. Whoever replies STOP is stopped at once, there and here; only START
          from their phone lifts it.
        </Text>
      </Section>
    </Stack>
  );
};
