import type { Me } from '@daylift/contracts/accounts.http';
import { useQuery } from '@tanstack/react-query';
import { MessageFigures } from '../../features/message-history/MessageFigures.tsx';
import { historyQuery } from '../../features/message-history/message-history.queries.ts';
import { RecentMessages } from '../../features/message-history/RecentMessages.tsx';
import { TextCalendar } from '../../features/message-history/TextCalendar.tsx';
import { TodaysText } from '../../features/message-history/TodaysText.tsx';
import { WholeHistory } from '../../features/message-history/WholeHistory.tsx';
import { NextTextCard } from '../../features/next-text/NextTextCard.tsx';
import { nextTextQuery } from '../../features/next-text/next-text.queries.ts';
import { SubscriptionCard } from '../../features/plan/SubscriptionCard.tsx';
import { ConfirmEmailHint } from '../../features/proofs/ConfirmEmailHint.tsx';
import { TravelHint } from '../../features/travel/TravelHint.tsx';
import classes from './OverviewTab.module.css';

export const OverviewTab = ({ user }: { user: Me }) => {
  const { data, errorUpdateCount } = useQuery(historyQuery);
  const next = useQuery(nextTextQuery);
  const isLoading = data ? data.length === 0 && next.isPending : errorUpdateCount === 0;
  const hasTexts = data ? data.length > 0 : errorUpdateCount === 0;
  return (
    <div
      className={classes.overview}
      data-new={!hasTexts || undefined}
      data-pending={isLoading || undefined}
    >
      {hasTexts ? (
        <div className={classes.today}>
          <TodaysText timeZone={user.timezone} />
        </div>
      ) : null}
      <div className={classes.next}>
        <NextTextCard user={user} isFirst={data?.length === 0} />
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
