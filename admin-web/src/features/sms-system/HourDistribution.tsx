import { EmptyState } from '@daylift/ui/EmptyState';
import { formatCount, formatHour } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ColumnChart, type Series } from '../../components/ColumnChart.tsx';
import { Section } from '../../components/Section.tsx';
import { deliverySlotsQuery } from './sms-system.queries.ts';

type Slot = readonly [hour: string, subscribers: number];
const series: Series<Slot>[] = [
  { name: 'Subscribers', tone: 'sky', value: ([, subscribers]) => subscribers },
];

const Slots = ({ slots, total }: { slots: Record<string, number>; total: number }) =>
  total === 0 ? (
    <EmptyState title="No subscribers yet">Their chosen delivery hours appear here.</EmptyState>
  ) : (
    <Stack gap="sm">
      <Text c="dimmed">
        {formatCount(total)} {total === 1 ? 'subscriber' : 'subscribers'} by chosen hour, in their
        own time zone.
      </Text>
      <ColumnChart
        label="Delivery time distribution"
        rows={Object.entries(slots).toSorted()}
        series={series}
        rowName={([hour]) => formatHour(`${hour}:00`)}
        axisName={([hour]) => formatHour(`${hour}:00`).replace(':00', '')}
      />
    </Stack>
  );

export const HourDistribution = () => {
  const query = useQuery(deliverySlotsQuery);
  return (
    <Section title="Delivery Time Distribution">
      <QueryView query={query} lines={4}>
        {(data) => <Slots slots={data.slots} total={data.total_users} />}
      </QueryView>
    </Section>
  );
};
