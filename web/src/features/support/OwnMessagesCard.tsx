import type { SupportThread } from '@daylift/contracts/inbox.http';
import { formatDayAndTime } from '@daylift/ui/formats';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { Badge, type BadgeTone } from '@daylift/ui/StatusBadge';
import { IconChevronDown } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { LoadMore } from '../../components/LoadMore.tsx';
import { QuietRetry } from '../../components/QuietRetry.tsx';
import { useFocusOnNext } from '../../components/use-focus-on-next.ts';
import faqClasses from './FaqCard.module.css';
import classes from './OwnMessagesCard.module.css';
import { supportMessagesQuery } from './support.queries.ts';

const statuses: Record<SupportThread['status'], { tone: BadgeTone; label: string }> = {
  waiting: { tone: 'yellow', label: 'Waiting for our reply' },
  answered: { tone: 'green', label: 'Answered' },
  closed: { tone: 'grey', label: 'Closed' },
};

const channels = { form: '', email: ' by email', text: ' by text' };

const Thread = ({
  thread,
  isFirst,
  timeZone,
}: {
  thread: SupportThread;
  isFirst: boolean;
  timeZone: string;
}) => {
  const { tone, label } = statuses[thread.status];
  return (
    <li className={classes.thread} tabIndex={-1}>
      <details open={isFirst}>
        <summary className={faqClasses.question}>
          <span className={classes.head}>
            <span className={classes.subject}>{thread.subject}</span>
            <Badge tone={tone}>{label}</Badge>
          </span>
          <IconChevronDown className={faqClasses.mark} size={20} stroke={2} aria-hidden="true" />
        </summary>
        <ol className={classes.messages}>
          {thread.messages.map(({ id, sender, by, text, created_at }) => (
            <li key={id} className={classes.message} data-sender={sender}>
              <p className={classes.about}>
                <strong>{sender === 'you' ? 'You' : 'Our reply'}</strong>
                {channels[by]},{' '}
                <time dateTime={created_at}>{formatDayAndTime(created_at, timeZone)}</time>
              </p>
              <p className={classes.text}>{text}</p>
            </li>
          ))}
        </ol>
        {thread.has_earlier ? (
          <p className={classes.earlier}>Earlier messages aren't shown.</p>
        ) : null}
      </details>
    </li>
  );
};

/** The subscriber's messages to support and the replies, newest first. */
export const OwnMessagesCard = ({ timeZone }: { timeZone: string }) => {
  const query = useInfiniteQuery(supportMessagesQuery);
  const threads = query.data?.pages.flatMap((page) => page.threads) ?? [];
  const { list, button, focusNext } = useFocusOnNext(threads.length);
  const loadMore = () => {
    focusNext();
    void query.fetchNextPage();
  };
  return (
    <DashboardCard title="Your Conversations">
      {query.isPending ? <TextSkeleton lines={1} /> : null}
      {query.isSuccess && threads.length === 0 ? (
        <p className={classes.none}>Your messages to us and our replies will appear here.</p>
      ) : null}
      {threads.length > 0 ? (
        <ul ref={list} className={classes.threads} aria-label="Your conversations">
          {threads.map((thread, index) => (
            <Thread key={thread.id} thread={thread} isFirst={index === 0} timeZone={timeZone} />
          ))}
        </ul>
      ) : null}
      {query.isError && !query.isFetchNextPageError ? (
        <QuietRetry busy={query.isFetching} onRetry={query.refetch} />
      ) : (
        <LoadMore query={query} button={button} onLoad={loadMore} mt="sm" />
      )}
    </DashboardCard>
  );
};
