import type { CategoryRunway } from '@daylift/contracts/library-runway.http';
import { formatCount } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge } from '@daylift/ui/StatusBadge';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { libraryRunwayQuery } from '../shared.queries.ts';
import { counted } from './counted.ts';
import { type Column, DataTable } from './DataTable.tsx';

/** The scheduler caps runways at a year. */
const maxDays = 365;

const Lasts = ({ days }: Pick<CategoryRunway, 'days'>) => {
  if (days === null) return 'No subscribers yet';
  if (days === 0) return <Badge tone="yellow">Used up</Badge>;
  if (days >= maxDays) return 'A year or more';
  const words = counted(days, 'day', 'days');
  return days <= 14 ? <Badge tone="yellow">{words}</Badge> : words;
};

const columns: Column<CategoryRunway>[] = [
  { header: 'Category', cell: (one) => one.category },
  { header: 'Active messages', cell: (one) => formatCount(one.active), numeric: true },
  { header: 'Time left', cell: (one) => <Lasts days={one.days} />, numeric: true },
];

/** Days of new messages left in each category. Shown on the library and forecast pages. */
export const LibraryRunway = () => (
  <QueryView query={useQuery(libraryRunwayQuery)} lines={3}>
    {({ computed_at, categories }) =>
      categories.length === 0 ? (
        <Text c="dimmed">
          {computed_at === null
            ? 'Still being computed. This takes up to a minute.'
            : 'The library has no messages yet.'}
        </Text>
      ) : (
        <Stack gap="xs">
          <Text c="dimmed" fz="sm">
            Time until a subscriber has received every message in a category. Messages repeat only
            for subscribers who have received every category.
          </Text>
          <DataTable
            label="How long the library lasts"
            columns={columns}
            rows={categories}
            rowKey={(one) => one.category}
          />
        </Stack>
      )
    }
  </QueryView>
);
