import type { Me } from '@daylift/contracts/accounts.http';
import { MessageFigures } from '../../features/message-history/MessageFigures.tsx';
import { RecentMessages } from '../../features/message-history/RecentMessages.tsx';
import { TextCalendar } from '../../features/message-history/TextCalendar.tsx';
import { WholeHistory } from '../../features/message-history/WholeHistory.tsx';
import { NextTextCard } from '../../features/next-text/NextTextCard.tsx';
import { PlanCard } from '../../features/plan/PlanCard.tsx';
import { ConfirmEmailHint } from '../../features/proofs/ConfirmEmailHint.tsx';
import { SubscriptionCard } from '../../features/subscription/SubscriptionCard.tsx';
import { TravelHint } from '../../features/travel/TravelHint.tsx';
import classes from './OverviewTab.module.css';

export const OverviewTab = ({ user }: { user: Me }) => (
  <div className={classes.overview}>
    <TravelHint user={user} />
    <ConfirmEmailHint user={user} />
    <NextTextCard user={user} />
    <MessageFigures />
    <div className={classes.columns}>
      <div className={classes.column}>
        <SubscriptionCard user={user} />
        <PlanCard user={user} />
      </div>
      <div className={classes.column}>
        <RecentMessages timeZone={user.timezone} />
        <TextCalendar />
      </div>
    </div>
    <WholeHistory timeZone={user.timezone} />
  </div>
);
