import { EmptyState } from '@daylift/ui/EmptyState';
import { QueryView } from '@daylift/ui/QueryView';
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FigureCard } from '../../components/FigureCard.tsx';
import { Section } from '../../components/Section.tsx';
import { hasNoTexts, TextsPerDay } from '../../components/TextsPerDay.tsx';
import { dailyTextsQuery } from '../../shared.queries.ts';
import { statsQuery } from './sms-system.queries.ts';

const shownDays = 30;

const Totals = () => {
  const { data, isError } = useQuery(statsQuery);
  if (isError && !data) return <Text c="dimmed">Couldn't load the totals.</Text>;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      <FigureCard label="Sent" value={data?.total_sent} />
      <FigureCard
        label="Successful"
        value={data?.successful}
        {...(data && { note: `${data.success_rate}%` })}
      />
      <FigureCard label="Failed" value={data?.failed} />
      <FigureCard
        label="Cost"
        value={data ? `$${data.total_cost.toFixed(3)}` : undefined}
        note="daily texts and announcements, from provider receipts"
      />
    </SimpleGrid>
  );
};

const Days = () => {
  const query = useQuery(dailyTextsQuery(shownDays));
  return (
    <QueryView
      query={query}
      lines={5}
      isEmpty={hasNoTexts}
      empty={<EmptyState title="No texts yet">The last {shownDays} days appear here.</EmptyState>}
    >
      {(data) => <TextsPerDay days={data} />}
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
