import type { ForecastDay } from '@daylift/contracts/forecast.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { formatCount, formatLocalDate } from '@daylift/ui/formats';
import { Badge } from '@daylift/ui/StatusBadge';
import { Anchor, Group } from '@mantine/core';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../session/use-admin.ts';

const columns = (may: boolean): Column<ForecastDay>[] => [
  { header: 'Date', cell: (day) => formatLocalDate(day.date) },
  {
    header: 'Message',
    cell: (day) =>
      day.has_message ? (
        <Badge tone="green">Scheduled</Badge>
      ) : (
        <Group gap="sm">
          <Badge tone="yellow">None (library)</Badge>
          {may ? (
            <Anchor component={Link} to={paths.messageFor(day.date)}>
              Schedule
            </Anchor>
          ) : null}
        </Group>
      ),
  },
  { header: 'Subscribers', cell: (day) => formatCount(day.people), numeric: true },
  { header: 'From the library', cell: (day) => formatCount(day.from_library), numeric: true },
];

export const DaysTable = ({ days }: { days: ForecastDay[] }) => {
  const may = useMay('operator');
  return days.length === 0 ? (
    <EmptyState title="No texts in the next 48 hours" />
  ) : (
    <DataTable label="Days" columns={columns(may)} rows={days} rowKey={(day) => day.date} />
  );
};
