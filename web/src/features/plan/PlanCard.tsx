import type { Me } from '@daylift/contracts/accounts.http';
import type { PlanView } from '@daylift/contracts/billing.http';
import { formatDay } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { useQuery } from '@tanstack/react-query';
import { AppLink } from '../../components/AppLink.tsx';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { FormMessage } from '../../components/FormMessage.tsx';
import { paths } from '../../paths.ts';
import { TextsStayOff } from '../../session/TextsOff.tsx';
import { describeHold } from './hold-words.ts';
import { describeLostDays } from './lost-day-words.ts';
import { describeOwed, describeRetry, isOwed } from './owed-words.ts';
import { PlanActions } from './PlanActions.tsx';
import classes from './PlanCard.module.css';
import { PlanFacts } from './PlanFacts.tsx';
import { PriceNotice } from './PriceNotice.tsx';
import { planQuery } from './plan.queries.ts';
import { checkoutLabels, endOf } from './plan-words.ts';

/** Warns about anything that stops or will stop the texts. */
const Warning = ({ plan, user }: { plan: PlanView; user: Me }) => {
  const held = describeHold(plan, user);
  if (held !== null) return <FormMessage kind="info">{held}</FormMessage>;
  if (isOwed(plan))
    return (
      <FormMessage>
        {describeOwed(plan, user)} {describeRetry(plan, user)}
      </FormMessage>
    );
  if (plan.status === 'pending')
    return <FormMessage kind="info">Your plan starts when you finish your checkout.</FormMessage>;
  const end = endOf(plan, user.timezone);
  if (end === null) return null;
  const lasts = user.opted_out
    ? `It ends on ${end}`
    : `You'll keep getting your texts until ${end}`;
  if (plan.actions.includes('checkout'))
    return (
      <FormMessage kind="info">
        Your free trial doesn't need a card. {lasts}. To continue after that, choose a plan.
      </FormMessage>
    );
  return plan.cancel_at_period_end ? (
    <FormMessage kind="info">
      Your plan is canceled. {lasts}, and you won't be charged
      {plan.status === 'trial' ? '' : ' again'}.
    </FormMessage>
  ) : null;
};

/** Free access by a gift or staff. Hidden while the number is opted out, because no texts are sent. */
const FreeTexts = ({ plan, user }: { plan: PlanView; user: Me }) => {
  const { free_until, next_charge, first_charge_at } = plan;
  if (!free_until || plan.hold || user.opted_out) return null;
  const charge =
    next_charge === null
      ? `You won't be charged for them.${first_charge_at ? ` If you choose a plan now, your first charge is on ${formatDay(first_charge_at, user.timezone)}.` : ''}`
      : `Your next charge is on ${formatDay(next_charge.at, user.timezone)}.`;
  return (
    <FormMessage kind="info">
      You have free texts until {formatDay(free_until, user.timezone)}. {charge}
    </FormMessage>
  );
};

/** The subscription with its plan, its next charge, and the actions to change or cancel it. */
export const PlanCard = ({ user }: { user: Me }) => (
  <DashboardCard title="Subscription Status">
    <QueryView query={useQuery(planQuery)} lines={12}>
      {(plan) => (
        <div className={classes.plan}>
          <Warning plan={plan} user={user} />
          <FreeTexts plan={plan} user={user} />
          <PriceNotice plan={plan} user={user} />
          {plan.lost_days ? (
            <FormMessage kind="info">{describeLostDays(plan, plan.lost_days)}</FormMessage>
          ) : null}
          {checkoutLabels[plan.status] === undefined ? <TextsStayOff user={user} /> : null}
          <PlanFacts plan={plan} user={user} />
          <PlanActions plan={plan} user={user} />
          <p className={classes.gift}>
            Know someone who'd love this? <AppLink href={paths.gift}>Give it as a gift</AppLink>
          </p>
        </div>
      )}
    </QueryView>
  </DashboardCard>
);
