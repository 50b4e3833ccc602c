import type { Me } from '@daylift/contracts/accounts.http';
import { InvoicesCard } from '../../features/plan/InvoicesCard.tsx';
import { PlanCard } from '../../features/plan/PlanCard.tsx';
import classes from './CardColumn.module.css';

export const PlanTab = ({ user }: { user: Me }) => (
  <div className={classes.cards}>
    <PlanCard user={user} />
    <InvoicesCard timeZone={user.timezone} />
  </div>
);
