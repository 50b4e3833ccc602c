import type { Me } from '@daylift/contracts/accounts.http';
import type { PlanView } from '@daylift/contracts/billing.http';
import { perPeriod } from '@daylift/contracts/plans';
import { formatDay, formatMoney } from '@daylift/ui/formats';
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { announce } from '../../components/announce.ts';
import { FormMessage } from '../../components/FormMessage.tsx';
import { PlanDialog } from './PlanDialog.tsx';
import { useChoosePrice } from './plan.queries.ts';

/** An announced price, with the choice to end the plan instead. */
export const PriceNotice = ({ plan, user }: { plan: PlanView; user: Me }) => {
  const [confirming, setConfirming] = useState(false);
  const choose = useChoosePrice();
  const { price_change: change } = plan;
  if (!change || plan.cancel_at_period_end) return null;
  const day = formatDay(change.at, user.timezone);
  const each = (cents: number) => `${formatMoney(cents, plan.currency)} ${perPeriod(plan.plan)}`;
  const send = (accept: boolean) =>
    choose.mutate(accept, {
      onSuccess: () => {
        announce(
          accept ? 'Your plan continues.' : `You keep your current price until ${day}.`,
          'good',
        );
        setConfirming(false);
      },
    });
  return (
    <Stack gap="sm" align="flex-start">
      <FormMessage kind="info">
        {change.declined
          ? `You keep paying ${each(plan.price_cents)} until ${day}. Your plan ends then, and you won't be charged again.`
          : `Your price changes from ${each(plan.price_cents)} to ${each(change.to_cents)} on ${day}.`}
      </FormMessage>
      <Button
        variant="default"
        loading={choose.isPending && !confirming}
        onClick={change.declined ? () => send(true) : () => setConfirming(true)}
      >
        {change.declined ? 'Keep My Plan' : 'Opt Out of the New Price'}
      </Button>
      {confirming ? null : <ActionFailure action="change plan" error={choose.error} />}
      <PlanDialog
        opened={confirming}
        title="Opt out of the new price?"
        confirmLabel={`Keep ${formatMoney(plan.price_cents, plan.currency)}, Then End`}
        keepLabel="Keep My Plan"
        tone="red"
        busy={choose.isPending}
        onConfirm={() => send(false)}
        onClose={() => {
          choose.reset();
          setConfirming(false);
        }}
        onClosed={() => undefined}
      >
        <Text>
          You'll keep your current price until {day}, and your plan ends then. You can change your
          mind here until then.
        </Text>
        <ActionFailure action="change plan" error={choose.error} />
      </PlanDialog>
    </Stack>
  );
};
