import type { DailyStats } from '@daylift/contracts/sms-operations.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { formatCount, formatLocalDate } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ColumnChart, type Series } from '../../components/ColumnChart.tsx';
import { FigureCard } from '../../components/FigureCard.tsx';
import { Section } from '../../components/Section.tsx';
import { dailyStatsQuery, statsQuery } from './sms-system.queries.ts';

const count = (value: number | undefined) => (value === undefined ? undefined : formatCount(value));

const series: Series<DailyStats>[] = [
  { name: 'Delivered', tone: 'green', value: (day) => day.delivered },
  { name: 'Sent', tone: 'sky', value: (day) => day.sent },
  { name: 'Failed', tone: 'red', value: (day) => day.failed },
  { name: 'Unknown', tone: 'yellow', value: (day) => day.unknown },
  { name: 'Missed', tone: 'ink', value: (day) => day.missed },
];

const Totals = () => {
  const { data, isError } = useQuery(statsQuery);
  if (isError && !data) return <Text c="dimmed">Couldn't load the totals.</Text>;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      <FigureCard label="Sent" value={count(data?.total_sent)} />
      <FigureCard
        label="Successful"
        value={count(data?.successful)}
        {...(data && { note: `${data.success_rate}%` })}
      />
      <FigureCard label="Failed" value={count(data?.failed)} />
      <FigureCard
        label="Cost"
        value={data ? `$${data.total_cost.toFixed(3)}` : undefined}
        note="daily texts and announcements, from provider receipts"
      />
    </SimpleGrid>
  );
};

const Days = () => {
  const query = useQuery(dailyStatsQuery);
  return (
    <QueryView
      query={query}
      lines={5}
      isEmpty={(days) => days.every((day) => series.every(({ value }) => value(day) === 0))}
      empty={<EmptyState title="No texts yet">The last 30 days appear here.</EmptyState>}
    >
      {(data) => (
        <ColumnChart
          label="Texts per day by outcome"
          rows={data}
          series={series}
          rowName={(day) => formatLocalDate(day.date)}
          axisName={(day) => day.date.slice(5).replace('-', '/')}
        />
      )}
    </QueryView>
  );
};

export const DailyStatistics = () => (
  <Section title="Daily SMS Statistics">
    <Stack gap="lg">
      <Totals />
      <Days />
    </Stack>
  </Section>
);
