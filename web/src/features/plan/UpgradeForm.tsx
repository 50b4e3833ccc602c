import type { Me } from '@daylift/contracts/accounts.http';
import type { PlanView } from '@daylift/contracts/billing.http';
import { formatMoney } from '@daylift/ui/formats';
import { Button, Stack, Text } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { FormMessage } from '../../components/FormMessage.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { PlanPicker } from '../../components/PlanPicker.tsx';
import { visitPromotion } from '../../components/PromotionField.tsx';
import { type PlanChoice, paths } from '../../paths.ts';
import { ChargeFacts } from './ChargeFacts.tsx';
import { cardInWords } from './plan-words.ts';
import { usePaidChange } from './use-paid-change.ts';

export const UpgradeForm = ({
  current,
  first,
  user,
  onUpgraded,
}: {
  current: PlanView;
  first: PlanChoice;
  user: Me;
  onUpgraded: (chargedCents: number) => void;
}) => {
  const [plan, setPlan] = useState<PlanChoice>(first);
  const paid = usePaidChange('upgrade', plan, { onDone: onUpgraded });
  const { data } = paid.preview;
  const code = visitPromotion();
  const choose = (next: PlanChoice) => {
    if (paid.change.isPending) return;
    paid.change.reset();
    setPlan(next);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    paid.confirm();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <div>
          <h1>Upgrade to the full plan</h1>
          <Text c="dimmed" mt={6}>
            Your free trial ends today and your plan starts
            {current.card ? `, paid with your ${cardInWords(current.card)}` : ''}.
            {user.opted_out ? '' : ' Your texts continue as before.'}
          </Text>
        </div>
        <PlanPicker
          plan={plan}
          currency={current.currency}
          own={{ ...current, taxed: current.next_charge?.tax_cents !== undefined }}
          onChoose={choose}
        />
        {code === '' ? null : (
          <FormMessage kind="info">
            Promotion codes only work when you start a plan. Your plan has already started, so{' '}
            {code} doesn't change this price.
          </FormMessage>
        )}
        <ChargeFacts paid={paid} user={user} />
        <Button
          type="submit"
          color="dawn"
          fullWidth
          loading={paid.change.isPending}
          disabled={!paid.ready && !paid.change.isPending}
        >
          {data
            ? `Upgrade and Pay ${formatMoney(data.charge_now_cents, data.currency)}`
            : 'Upgrade'}
        </Button>
        <LinkButton look="bare" href={paths.dashboard}>
          Back to Dashboard
        </LinkButton>
      </Stack>
    </form>
  );
};
