import type { CategoryRunway } from '@daylift/contracts/library-runway.http';
import { formatCount } from '@daylift/ui/formats';
import { Badge } from '@daylift/ui/StatusBadge';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { libraryRunwayQuery } from '../shared.queries.ts';
import { counted } from './counted.ts';
import { type Column, DataTable } from './DataTable.tsx';

/** The scheduler doesn't count further. */
const longestRunway = 365;

const Lasts = ({ days }: Pick<CategoryRunway, 'days'>) => {
  if (days === null) return <Text c="dimmed">No subscribers yet</Text>;
  if (days === 0) return <Badge tone="yellow">Used up</Badge>;
  if (days >= longestRunway) return <Text>A year or more</Text>;
  const words = counted(days, 'day', 'days');
  return days <= 14 ? <Badge tone="yellow">{words}</Badge> : <Text>{words}</Text>;
};

const columns: Column<CategoryRunway>[] = [
  { header: 'Category', cell: (one) => one.category },
  { header: 'Active messages', cell: (one) => formatCount(one.active), numeric: true },
  { header: 'Lasts', cell: (one) => <Lasts days={one.days} /> },
];

/** How long the library lasts, for the page that changes it and the one that looks ahead. */
export const LibraryRunway = () => {
  const { data } = useQuery(libraryRunwayQuery);
  if (data === undefined || data.categories.length === 0) return null;
  return (
    <Stack gap="xs">
      <Text c="dimmed" fz="sm">
        Days until the subscriber who has had the most texts has had every message. Messages repeat
        once all categories are used up.
      </Text>
      <DataTable
        label="How long the library lasts"
        columns={columns}
        rows={data.categories}
        rowKey={(one) => one.category}
      />
    </Stack>
  );
};
