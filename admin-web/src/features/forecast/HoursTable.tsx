import type { ForecastHour } from '@daylift/contracts/forecast.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { formatCost, formatCount, formatEstimate } from '@daylift/ui/formats';
import { Group, Progress, Stack, Text } from '@mantine/core';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { inTime } from '../../components/durations.ts';
import { Time } from '../../components/Time.tsx';

const columns = (most: number, currency: string): Column<ForecastHour>[] => [
  { header: 'Hour', cell: (hour) => <Time at={hour.starts_at} /> },
  {
    header: 'Subscribers',
    cell: (hour) => (
      <Group gap="sm" wrap="nowrap">
        <Text miw="4rem" ta="right">
          {formatCount(hour.people)}
        </Text>
        <Progress
          value={(hour.people / most) * 100}
          w="6rem"
          size="sm"
          aria-hidden
          aria-label={`${formatCount(hour.people)} subscribers`}
        />
      </Group>
    ),
  },
  { header: 'Cost', cell: (hour) => formatCost(hour.estimated_cost, currency), numeric: true },
  { header: 'Time to send', cell: (hour) => inTime(hour.drain_seconds), numeric: true },
];

/** Sums unrounded costs. */
export const totalCost = (hours: ForecastHour[]): number =>
  hours.reduce((sum, hour) => sum + Number(hour.estimated_cost), 0);

/** Lists only hours with texts. */
export const HoursTable = ({ hours, currency }: { hours: ForecastHour[]; currency: string }) => {
  const busy = hours.filter((hour) => hour.people > 0);
  const most = Math.max(1, ...busy.map((hour) => hour.people));
  return busy.length === 0 ? (
    <EmptyState title="No texts in the next 48 hours" />
  ) : (
    <Stack gap="md">
      <Text c="dimmed">
        Costs are rounded to the cent. The total before rounding is{' '}
        {formatEstimate(totalCost(busy), currency)}.
      </Text>
      <DataTable
        label="Hours"
        columns={columns(most, currency)}
        rows={busy}
        rowKey={(hour) => hour.starts_at}
        firstOnPhone={8}
      />
    </Stack>
  );
};
