import type { Me } from '@daylift/contracts/accounts.http';
import type { Currency } from '@daylift/contracts/plans';
import { formatMoney } from '@daylift/ui/formats';
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { plusTax, useCatalogue } from '../../catalogue.ts';
import { LinkButton } from '../../components/LinkButton.tsx';
import { PlanPicker } from '../../components/PlanPicker.tsx';
import { type PlanChoice, paths } from '../../paths.ts';
import { FinishCheckout } from './FinishCheckout.tsx';

/** Upgrades a trial without a card via the provider's checkout; the plan is charged today. */
export const CheckoutForm = ({
  user,
  currency,
  first,
}: {
  user: Me;
  currency: Currency;
  first: PlanChoice;
}) => {
  const [plan, setPlan] = useState<PlanChoice>(first);
  const catalogue = useCatalogue(currency);
  const price = catalogue?.plans.find(({ id }) => id === plan)?.price_cents;
  return (
    <Stack gap="lg">
      <div>
        <h1>Upgrade to the full plan</h1>
        <Text c="dimmed" mt={6}>
          Your free trial ends today and your plan starts, paid with the card you add on the next
          page.{user.opted_out ? '' : ' Your texts continue as before.'}
        </Text>
      </div>
      <PlanPicker plan={plan} currency={currency} onChoose={setPlan} />
      <FinishCheckout user={user} plan={plan} withCode>
        {(firstCents = price) =>
          catalogue && firstCents !== undefined
            ? `Continue and Pay ${formatMoney(firstCents, catalogue.currency)}${plusTax(catalogue)}`
            : 'Continue to Payment'
        }
      </FinishCheckout>
      <LinkButton look="bare" href={paths.dashboard}>
        Back to Dashboard
      </LinkButton>
    </Stack>
  );
};
