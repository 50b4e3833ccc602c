import { EmptyState } from '@daylift/ui/EmptyState';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { IconMessage2Heart } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { QuietRetry } from '../../components/QuietRetry.tsx';
import classes from './HistoryMessage.module.css';
import { HistoryMessage } from './HistoryMessage.tsx';
import { historyQuery } from './message-history.queries.ts';

const shownMessages = 5;

/** Empty if the call fails. */
export const RecentMessages = ({ timeZone }: { timeZone: string }) => {
  const { data, isPending, isError, isFetching, refetch } = useQuery(historyQuery);
  const messages = (data ?? []).slice(0, shownMessages);
  return (
    <DashboardCard title="Recent Messages">
      {isPending ? <TextSkeleton lines={6} /> : null}
      {!isPending && messages.length === 0 ? (
        <EmptyState picture={<IconMessage2Heart size={30} stroke={1.8} />} title="No messages yet">
          Your daily motivational messages will appear here
        </EmptyState>
      ) : null}
      {messages.length > 0 ? (
        <ul className={classes.messages}>
          {messages.map((message) => (
            <HistoryMessage key={message.id} message={message} timeZone={timeZone} />
          ))}
        </ul>
      ) : null}
      {isError ? <QuietRetry busy={isFetching} onRetry={refetch} /> : null}
    </DashboardCard>
  );
};
