import { formatCount } from '@daylift/ui/formats';
import { SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FigureCard } from '../../components/FigureCard.tsx';
import { statusQuery } from './sms-system.queries.ts';

export const QueueCards = () => {
  const { data, isError } = useQuery(statusQuery);
  const missing = isError ? 'Unknown' : undefined;
  const count = (value: number | undefined) => (value === undefined ? missing : formatCount(value));
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <FigureCard label="Pending Jobs" value={count(data?.pending_jobs)} note="texts waiting" />
        <FigureCard
          label="Processing"
          value={count(data?.processing_jobs)}
          note="texts being sent"
        />
        <FigureCard
          label="Users Due"
          value={count(data?.users_due_for_messages)}
          note="this hour"
        />
        <FigureCard
          label="Scheduler"
          value={data === undefined ? missing : data.scheduler_running ? 'Running' : 'Idle'}
          note={
            data === undefined || data.scheduler_running
              ? 'runs every minute'
              : "hasn't run for 2 minutes: new texts aren't being scheduled"
          }
        />
      </SimpleGrid>
      {isError ? (
        <Text role="alert" c="var(--dl-danger)" fw={600}>
          {data === undefined
            ? "Couldn't load the queue status."
            : "Couldn't refresh the queue status. It may be out of date."}
        </Text>
      ) : null}
    </>
  );
};
