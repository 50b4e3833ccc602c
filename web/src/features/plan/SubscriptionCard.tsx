import { ApiError } from '@daylift/api-client/request';
import type { Me } from '@daylift/contracts/accounts.http';
import type { UserSubscription } from '@daylift/contracts/billing.http';
import { Fact, FactList } from '@daylift/ui/FactList';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { useQuery } from '@tanstack/react-query';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { QuietRetry } from '../../components/QuietRetry.tsx';
import { paths } from '../../paths.ts';
import { useAreTextsOff } from '../../session/pause.ts';
import { FinishCheckout } from './FinishCheckout.tsx';
import { planQuery, subscriptionQuery } from './plan.queries.ts';
import { checkoutLabels, hasOnlyFreeTexts } from './plan-words.ts';
import classes from './SubscriptionCard.module.css';
import { SubscriptionFacts } from './SubscriptionFacts.tsx';

const NextStep = ({ subscription, user }: { subscription: UserSubscription; user: Me }) => {
  const { status, plan } = subscription;
  const checkout = checkoutLabels[status];
  const areTextsOff = useAreTextsOff(user);
  return (
    <div className={classes.next}>
      {status === 'trial' ? (
        <LinkButton look={areTextsOff ? 'quiet' : 'call'} href={paths.signupFor(plan)}>
          Upgrade to Full Plan
        </LinkButton>
      ) : null}
      {checkout === undefined ? null : (
        <FinishCheckout user={user} plan={plan}>
          {checkout}
        </FinishCheckout>
      )}
      <LinkButton look="quiet" href={paths.plan}>
        Manage Plan
      </LinkButton>
    </div>
  );
};

/** Shows status and plan; the Plan tab has the rest. Treats a failed call as no subscription. */
export const SubscriptionCard = ({ user }: { user: Me }) => {
  const { data, isPending, error, isFetching, refetch } = useQuery(subscriptionQuery);
  const { data: plan } = useQuery(planQuery);
  const failed = error && !(error instanceof ApiError && error.status === 404);
  return (
    <DashboardCard title="Subscription Status">
      {isPending ? <TextSkeleton lines={9} /> : null}
      {data ? (
        <>
          <FactList>
            <SubscriptionFacts
              subscription={data}
              user={user}
              isFree={plan !== undefined && hasOnlyFreeTexts(plan)}
            />
            {data.cancel_at_period_end ? <Fact name="Renewal">Canceled</Fact> : null}
          </FactList>
          <NextStep subscription={data} user={user} />
        </>
      ) : null}
      {!isPending && !data ? <p className={classes.none}>No subscription yet</p> : null}
      {failed ? <QuietRetry busy={isFetching} onRetry={refetch} /> : null}
    </DashboardCard>
  );
};
