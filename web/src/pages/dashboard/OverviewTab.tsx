import type { Me } from '@daylift/contracts/accounts.http';
import { MessageFigures } from '../../features/message-history/MessageFigures.tsx';
import { RecentMessages } from '../../features/message-history/RecentMessages.tsx';
import { NextTextCard } from '../../features/next-text/NextTextCard.tsx';
import { SubscriptionCard } from '../../features/subscription/SubscriptionCard.tsx';
import classes from './OverviewTab.module.css';

export const OverviewTab = ({ user }: { user: Me }) => (
  <div className={classes.overview}>
    <NextTextCard user={user} />
    <MessageFigures />
    <div className={classes.columns}>
      <SubscriptionCard user={user} />
      <RecentMessages timeZone={user.timezone} />
    </div>
  </div>
);
