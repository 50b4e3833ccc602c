import type { HistoryItem } from '@daylift/contracts/sms.http';
import { formatLocalDate, localDateOf } from '@daylift/ui/formats';
import { LogoMark } from '@daylift/ui/Logo';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { MessageStatusBadge } from '@daylift/ui/StatusBadge';
import { useQuery } from '@tanstack/react-query';
import { calendarQuery, historyQuery } from './message-history.queries.ts';
import { TextActions } from './TextActions.tsx';
import classes from './TodaysText.module.css';

const Text = ({ message }: { message: HistoryItem }) => (
  <>
    <p className={classes.text}>{message.message_content}</p>
    <div className={classes.foot}>
      <TextActions text={message.message_content} />
      <MessageStatusBadge status={message.status} />
    </div>
  </>
);

/** Today's text in full, or the last one until today's arrives. */
export const TodaysText = ({ timeZone }: { timeZone: string }) => {
  const { data, isPending } = useQuery(historyQuery);
  const { data: calendar } = useQuery(calendarQuery(null));
  const today = calendar?.today ?? localDateOf(new Date().toISOString(), timeZone);
  const latest = data?.[0];
  const isEarlier = latest !== undefined && latest.local_date !== today;
  return (
    <section className={classes.card} aria-label="Today's text">
      <h2 className={classes.title}>
        {isEarlier ? `Your last text, ${formatLocalDate(latest.local_date)}` : "Today's Text"}
      </h2>
      {isPending ? (
        <div className={classes.loading}>
          <TextSkeleton lines={4} />
        </div>
      ) : null}
      {latest === undefined ? null : <Text message={latest} />}
      {!isPending && latest === undefined ? (
        <div className={classes.none}>
          <LogoMark size={96} />
          <p>Your first text will appear here.</p>
        </div>
      ) : null}
    </section>
  );
};
