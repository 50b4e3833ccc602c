import { EmptyState } from '@daylift/ui/EmptyState';
import { formatDayAndHour, formatZone } from '@daylift/ui/formats';
import { Button, Stack, Text } from '@mantine/core';
import { type Column, DataTable } from './DataTable.tsx';
import { SubscriberLink } from './SubscriberLink.tsx';

interface Person {
  user_id: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  due_at: string;
  timezone?: string;
}

const columns: Column<Person>[] = [
  {
    header: 'Name',
    cell: (one) =>
      one.name === null ? (
        <Text c="dimmed">Account deleted</Text>
      ) : (
        <SubscriberLink id={one.user_id}>{one.name}</SubscriberLink>
      ),
  },
  { header: 'Email', cell: (one) => one.email ?? '' },
  { header: 'Phone', cell: (one) => one.phone ?? '' },
  {
    header: 'Due',
    cell: (one) =>
      one.timezone === undefined
        ? formatDayAndHour(one.due_at)
        : `${formatDayAndHour(one.due_at, one.timezone)} (${formatZone(one.timezone)})`,
  },
];

/** Subscribers with a link to each one's page, as many as have been loaded. */
export const SubscribersTable = ({
  label,
  people,
  onMore,
  loading,
}: {
  label: string;
  people: Person[];
  onMore: (() => void) | null;
  loading: boolean;
}) =>
  people.length === 0 ? (
    <EmptyState title="No subscribers left" />
  ) : (
    <Stack gap="md">
      <DataTable label={label} columns={columns} rows={people} rowKey={(one) => one.user_id} />
      {onMore ? (
        <Button variant="default" onClick={onMore} loading={loading} w="fit-content">
          Show more
        </Button>
      ) : null}
    </Stack>
  );
