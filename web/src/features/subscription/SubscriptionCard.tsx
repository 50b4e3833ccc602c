import { ApiError } from '@daylift/api-client/request';
import type { Me } from '@daylift/contracts/accounts.http';
import type { UserSubscription } from '@daylift/contracts/billing.http';
import { Fact, FactList } from '@daylift/ui/FactList';
import { formatDay } from '@daylift/ui/formats';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { SubscriptionStatusBadge } from '@daylift/ui/StatusBadge';
import { useQuery } from '@tanstack/react-query';
import { useCatalogue } from '../../catalogue.ts';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { QuietRetry } from '../../components/QuietRetry.tsx';
import { paths } from '../../paths.ts';
import { isDeliveryOn } from '../../session/current-user.ts';
import { FinishCheckout } from './FinishCheckout.tsx';
import classes from './SubscriptionCard.module.css';
import { subscriptionQuery } from './subscription.queries.ts';

const Facts = ({ subscription, user }: { subscription: UserSubscription; user: Me }) => {
  const plan = useCatalogue()?.plans.find((choice) => choice.id === subscription.plan);
  return (
    <FactList>
      <Fact name="Status">
        <SubscriptionStatusBadge status={subscription.status} />
      </Fact>
      <Fact name="Plan">{plan?.name ?? subscription.plan}</Fact>
      {subscription.trial_end_date ? (
        <Fact name={subscription.status === 'trial' ? 'Trial ends' : 'Trial ended'}>
          {formatDay(subscription.trial_end_date, user.timezone)}
        </Fact>
      ) : null}
      <Fact name="SMS delivery">{isDeliveryOn(user) ? 'Enabled' : 'Disabled'}</Fact>
    </FactList>
  );
};

const checkoutLabels: Partial<Record<UserSubscription['status'], string>> = {
  pending: 'Finish Your Checkout',
  expired: 'Subscribe Again',
  canceled: 'Subscribe Again',
};

const NextStep = ({ subscription, user }: { subscription: UserSubscription; user: Me }) => {
  if (subscription.status === 'trial') {
    return (
      <LinkButton look="call" href={paths.signupFor(subscription.plan)}>
        Upgrade to Full Plan
      </LinkButton>
    );
  }
  const label = checkoutLabels[subscription.status];
  return label === undefined ? null : (
    <FinishCheckout userId={user.id} plan={subscription.plan}>
      {label}
    </FinishCheckout>
  );
};

/** A failed call counts as no subscription. */
export const SubscriptionCard = ({ user }: { user: Me }) => {
  const { data, isPending, error, isFetching, refetch } = useQuery(subscriptionQuery);
  const failed = error && !(error instanceof ApiError && error.status === 404);
  return (
    <DashboardCard title="Subscription Status">
      {isPending ? <TextSkeleton lines={9} /> : null}
      {data ? (
        <>
          <Facts subscription={data} user={user} />
          <div className={classes.next}>
            <NextStep subscription={data} user={user} />
          </div>
        </>
      ) : null}
      {!isPending && !data ? <p className={classes.none}>No subscription yet</p> : null}
      {failed ? <QuietRetry busy={isFetching} onRetry={refetch} /> : null}
    </DashboardCard>
  );
};
