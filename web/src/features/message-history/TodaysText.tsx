import type { HistoryItem } from '@daylift/contracts/sms.http';
import { formatLocalDate, localDateOf } from '@daylift/ui/formats';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { MessageStatusBadge } from '@daylift/ui/StatusBadge';
import { useQuery } from '@tanstack/react-query';
import { calendarQuery, historyQuery } from './message-history.queries.ts';
import { TextActions } from './TextActions.tsx';
import classes from './TodaysText.module.css';

const titleOf = ({ kind, local_date }: HistoryItem, today: string): string => {
  const isAnnouncement = kind === 'announcement';
  if (local_date === today) return isAnnouncement ? "Today's Announcement" : "Today's Text";
  return `Your last ${isAnnouncement ? 'announcement' : 'text'}, ${formatLocalDate(local_date)}`;
};

const Announcement = ({ message }: { message: HistoryItem }) => (
  <section className={classes.announcement} aria-label="Announcement">
    <div className={classes.foot}>
      <h3 className={classes.title}>Announcement</h3>
      <MessageStatusBadge status={message.status} />
    </div>
    <p className={classes.small}>{message.message_content}</p>
  </section>
);

/** The texts of today, or of the last day with any: the daily one in full size, announcements beneath. */
export const TodaysText = ({ timeZone }: { timeZone: string }) => {
  const { data = [], isPending } = useQuery(historyQuery);
  // The calendar's own card offers the retry.
  const { data: calendar } = useQuery({ ...calendarQuery(null), retryOnMount: false });
  const today = calendar?.today ?? localDateOf(new Date().toISOString(), timeZone);
  const ofDay = data.filter(({ local_date }) => local_date === data[0]?.local_date);
  const main = ofDay.find(({ kind }) => kind === 'daily') ?? ofDay[0];
  return (
    <section className={classes.card} aria-label="Today's text">
      <h2 className={classes.title}>{main ? titleOf(main, today) : "Today's Text"}</h2>
      {isPending ? (
        <div className={classes.loading}>
          <TextSkeleton lines={4} />
        </div>
      ) : null}
      {main ? (
        <>
          <p className={classes.text}>{main.message_content}</p>
          <div className={classes.foot}>
            <TextActions text={main.message_content} />
            <MessageStatusBadge status={main.status} />
          </div>
        </>
      ) : null}
      {ofDay
        .filter((message) => message !== main)
        .map((message) => (
          <Announcement key={message.id} message={message} />
        ))}
    </section>
  );
};
