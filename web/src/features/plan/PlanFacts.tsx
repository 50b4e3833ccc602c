import type { PlanView } from '@daylift/contracts/billing.http';
import { Fact, FactList } from '@daylift/ui/FactList';
import { formatDay, formatMoney } from '@daylift/ui/formats';
import { cardName, endOf, intervalOf, usePlanName } from './plan-words.ts';

const nextCharge = ({ next_charge, currency }: PlanView, timeZone: string): string =>
  next_charge === null
    ? 'None'
    : `${formatMoney(next_charge.amount_cents, currency)} on ${formatDay(next_charge.at, timeZone)}`;

export const PlanFacts = ({ plan, timeZone }: { plan: PlanView; timeZone: string }) => {
  const name = usePlanName(plan.plan);
  const end = endOf(plan, timeZone);
  return (
    <FactList>
      <Fact name="Your plan">{name}</Fact>
      <Fact name="Price">
        {formatMoney(plan.price_cents, plan.currency)} a {intervalOf(plan.plan)}
      </Fact>
      <Fact name="Next charge">{nextCharge(plan, timeZone)}</Fact>
      {plan.cancel_at_period_end && end !== null ? <Fact name="Texts until">{end}</Fact> : null}
      {plan.credit_cents > 0 ? (
        <Fact name="Credit">{formatMoney(plan.credit_cents, plan.currency)}</Fact>
      ) : null}
      {plan.card ? (
        <Fact name="Card">
          {cardName(plan.card.brand)} ending in {plan.card.last4}
        </Fact>
      ) : null}
    </FactList>
  );
};
