import type { Me } from '@daylift/contracts/accounts.http';
import type { PlanView } from '@daylift/contracts/billing.http';
import { planNamed } from '@daylift/contracts/plans';
import { formatDay, formatMoney } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { FormCard } from '../components/FormCard.tsx';
import { LinkButton } from '../components/LinkButton.tsx';
import { PageTitle } from '../components/PageTitle.tsx';
import { CheckoutForm } from '../features/plan/CheckoutForm.tsx';
import { planQuery } from '../features/plan/plan.queries.ts';
import { UpgradeForm } from '../features/plan/UpgradeForm.tsx';
import { paths } from '../paths.ts';
import { ForSubscriber } from '../session/ForSubscriber.tsx';

const Outcome = ({ title, children }: { title: string; children: string }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Stack gap="lg">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <Text>{children}</Text>
      <LinkButton look="call" href={paths.dashboard}>
        Go to Your Dashboard
      </LinkButton>
    </Stack>
  );
};

const Upgrade = ({ user, plan }: { user: Me; plan: PlanView }) => {
  const [search] = useSearchParams();
  const first = planNamed(search.get('plan'), plan.plan);
  const [charged, setCharged] = useState<number | null>(null);
  if (charged !== null)
    return (
      <Outcome title="You're on the full plan">
        {`${formatMoney(charged, plan.currency)} was charged. A receipt is on its way to ${user.email}.`}
      </Outcome>
    );
  if (plan.actions.includes('checkout'))
    return <CheckoutForm user={user} currency={plan.currency} first={first} />;
  if (!plan.actions.includes('upgrade') && plan.status === 'trial' && plan.free_until)
    return (
      <Outcome title="Nothing to upgrade yet">
        {`You have free texts until ${formatDay(plan.free_until, user.timezone)}. You can upgrade once they end.`}
      </Outcome>
    );
  if (!plan.actions.includes('upgrade'))
    return (
      <Outcome title="Nothing to upgrade">
        {plan.status === 'active'
          ? 'You already have the full plan. You can switch or cancel it on your dashboard.'
          : 'Only a free trial can be upgraded. See your options on your dashboard.'}
      </Outcome>
    );
  return <UpgradeForm current={plan} first={first} user={user} onUpgraded={setCharged} />;
};

const PlanUpgrade = ({ user }: { user: Me }) => (
  <QueryView query={useQuery(planQuery)} lines={8} heading="h1">
    {(plan) => <Upgrade user={user} plan={plan} />}
  </QueryView>
);

export const UpgradePage = () => (
  <FormCard>
    <PageTitle>Upgrade</PageTitle>
    <ForSubscriber loading={<TextSkeleton lines={8} />}>
      {(user) => <PlanUpgrade user={user} />}
    </ForSubscriber>
  </FormCard>
);
