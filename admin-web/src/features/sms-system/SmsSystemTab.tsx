import { formatCount } from '@daylift/ui/formats';
import { SimpleGrid, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FigureCard } from '../../components/FigureCard.tsx';
import { Section } from '../../components/Section.tsx';
import { BatchesTable } from './BatchesTable.tsx';
import { Controls } from './Controls.tsx';
import { statsQuery, statusQuery } from './sms-system.queries.ts';

const count = (value: number | undefined) => (value === undefined ? undefined : formatCount(value));

export const SmsSystemTab = () => {
  const status = useQuery(statusQuery);
  const stats = useQuery(statsQuery);
  const running = status.data?.scheduler_running;
  return (
    <Stack gap="lg">
      <VisuallyHidden>
        <Title order={1}>SMS System</Title>
      </VisuallyHidden>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <FigureCard label="Pending Jobs" value={count(status.data?.pending_jobs)} />
        <FigureCard label="Processing" value={count(status.data?.processing_jobs)} />
        <FigureCard
          label="Users Due"
          value={count(status.data?.users_due_for_messages)}
          note="within this hour"
        />
        <FigureCard
          label="Scheduler"
          value={running === undefined ? undefined : running ? 'Running' : 'Stopped'}
        />
      </SimpleGrid>
      {status.isError || stats.isError ? (
        <Text role="alert" c="var(--dl-danger)" fw={600}>
          Some figures could not be refreshed and may be old.
        </Text>
      ) : null}
      <Controls />
      <Section title="SMS Statistics">
        <SimpleGrid cols={{ base: 2, md: 4 }}>
          <FigureCard label="Sent" value={count(stats.data?.total_sent)} />
          <FigureCard label="Successful" value={count(stats.data?.successful)} />
          <FigureCard label="Failed" value={count(stats.data?.failed)} />
          <FigureCard
            label="Cost"
            value={stats.data ? `$${stats.data.total_cost.toFixed(3)}` : undefined}
            note="from the provider's receipts"
          />
        </SimpleGrid>
      </Section>
      <Section title="Recent Batches">
        <BatchesTable />
      </Section>
    </Stack>
  );
};
