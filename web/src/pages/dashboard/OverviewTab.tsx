import type { Me } from '@daylift/contracts/accounts.http';
import { localDateOf } from '@daylift/ui/formats';
import { useQuery } from '@tanstack/react-query';
import { MessageFigures } from '../../features/message-history/MessageFigures.tsx';
import { historyQuery } from '../../features/message-history/message-history.queries.ts';
import { RecentMessages } from '../../features/message-history/RecentMessages.tsx';
import { TextCalendar } from '../../features/message-history/TextCalendar.tsx';
import { TodaysText } from '../../features/message-history/TodaysText.tsx';
import { WholeHistory } from '../../features/message-history/WholeHistory.tsx';
import { NextTextCard } from '../../features/next-text/NextTextCard.tsx';
import { SubscriptionCard } from '../../features/plan/SubscriptionCard.tsx';
import { ConfirmEmailHint } from '../../features/proofs/ConfirmEmailHint.tsx';
import { TravelHint } from '../../features/travel/TravelHint.tsx';
import classes from './OverviewTab.module.css';

export const OverviewTab = ({ user }: { user: Me }) => {
  const { data, errorUpdateCount } = useQuery(historyQuery);
  // The first text comes the day after. Guessed until the history has loaded, so nothing moves.
  const today = localDateOf(new Date().toISOString(), user.timezone);
  const isNew = localDateOf(user.created_at, user.timezone) >= today;
  const isFirst = data ? data.length === 0 : isNew;
  const hasTexts = !isFirst && (data !== undefined || errorUpdateCount === 0);
  return (
    <div className={classes.overview} data-new={!hasTexts || undefined}>
      {hasTexts ? (
        <div className={classes.today}>
          <TodaysText timeZone={user.timezone} />
        </div>
      ) : null}
      <div className={classes.next}>
        <NextTextCard user={user} isFirst={isFirst} />
        <TravelHint user={user} />
        <ConfirmEmailHint user={user} />
      </div>
      <div className={classes.figures}>
        <MessageFigures />
      </div>
      <div className={classes.subscription}>
        <SubscriptionCard user={user} />
      </div>
      <div className={classes.columns}>
        <RecentMessages timeZone={user.timezone} />
        <TextCalendar />
      </div>
      {hasTexts ? (
        <div className={classes.wide}>
          <WholeHistory timeZone={user.timezone} />
        </div>
      ) : null}
    </div>
  );
};
