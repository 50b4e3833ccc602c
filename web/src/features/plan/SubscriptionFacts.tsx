import type { Me } from '@daylift/contracts/accounts.http';
import type { UserSubscription } from '@daylift/contracts/billing.http';
import { Fact } from '@daylift/ui/FactList';
import { formatDay, formatLocalDate } from '@daylift/ui/formats';
import { SubscriptionStatusBadge, statusMeanings } from '@daylift/ui/StatusBadge';
import { useDeliveryState } from '../../session/pause.ts';
import { usePlanName } from './plan-words.ts';
import classes from './SubscriptionCard.module.css';

/** Status, plan, end of the trial and delivery. */
export const SubscriptionFacts = ({
  subscription: { status, plan, trial_end_date },
  user,
  isFree = false,
}: {
  subscription: Pick<UserSubscription, 'status' | 'plan' | 'trial_end_date'>;
  user: Me;
  /** Free access without a plan. */
  isFree?: boolean;
}) => {
  const delivery = useDeliveryState(user);
  const planName = usePlanName(plan);
  return (
    <>
      <Fact name="Status">
        <span className={classes.status}>
          {statusMeanings[status]}
          <SubscriptionStatusBadge status={status} />
        </span>
      </Fact>
      <Fact name="Plan">{isFree ? 'Free texts' : planName}</Fact>
      {trial_end_date ? (
        <Fact name={status === 'trial' ? 'Trial ends' : 'Trial ended'}>
          {formatDay(trial_end_date, user.timezone)}
        </Fact>
      ) : null}
      <Fact name="SMS delivery">
        {delivery}
        {delivery === 'Paused' ? ` until ${formatLocalDate(user.paused_until ?? '')}` : null}
      </Fact>
    </>
  );
};
