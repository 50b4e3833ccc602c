import type { HistoryItem } from '@daylift/contracts/sms.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { formatDay } from '@daylift/ui/formats';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { MessageStatusBadge } from '@daylift/ui/StatusBadge';
import { IconMessage2Heart } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { QuietRetry } from '../../components/QuietRetry.tsx';
import { historyQuery } from './message-history.queries.ts';
import classes from './RecentMessages.module.css';

const shownMessages = 5;
const previewLength = 60;

const preview = (content: string): string => {
  const characters = [...content];
  return characters.length > previewLength
    ? `${characters.slice(0, previewLength).join('').trimEnd()}...`
    : content;
};

const Message = ({ message, timeZone }: { message: HistoryItem; timeZone: string }) => (
  <li className={classes.message}>
    <p className={classes.content} title={message.message_content}>
      {preview(message.message_content)}
    </p>
    <p className={classes.about}>
      <time dateTime={message.sent_at}>{formatDay(message.sent_at, timeZone)}</time>
      <MessageStatusBadge status={message.status} />
    </p>
  </li>
);

/** Without an answer the list is empty. */
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
            <Message key={message.id} message={message} timeZone={timeZone} />
          ))}
        </ul>
      ) : null}
      {isError ? <QuietRetry busy={isFetching} onRetry={refetch} /> : null}
    </DashboardCard>
  );
};
