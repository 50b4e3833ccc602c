import { ErrorText } from '@daylift/ui/ErrorText';
import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FigureCard } from '../../components/FigureCard.tsx';
import { statusQuery } from './sms-system.queries.ts';

export const QueueCards = () => {
  const { data, isError } = useQuery(statusQuery);
  const missing = isError ? 'Unknown' : undefined;
  return (
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <FigureCard
          label="Pending Jobs"
          value={data?.pending_jobs ?? missing}
          note="texts waiting"
        />
        <FigureCard
          label="Processing"
          value={data?.processing_jobs ?? missing}
          note="texts being sent"
        />
        <FigureCard
          label="Users Due"
          value={data?.users_due_for_messages ?? missing}
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
        <ErrorText>
          {data === undefined
            ? "Couldn't load the queue status."
            : "Couldn't refresh the queue status. It may be out of date."}
        </ErrorText>
      ) : null}
    </>
  );
};
