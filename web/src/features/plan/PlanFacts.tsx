import type { Me } from '@daylift/contracts/accounts.http';
import type { PlanView } from '@daylift/contracts/billing.http';
import { perPeriod } from '@daylift/contracts/plans';
import { Fact, FactList } from '@daylift/ui/FactList';
import { formatDay, formatMoney } from '@daylift/ui/formats';
import { cardInWords, endOf, hasOnlyFreeTexts, shownStatus } from './plan-words.ts';
import { SubscriptionFacts } from './SubscriptionFacts.tsx';

const nextCharge = ({ next_charge, currency }: PlanView, timeZone: string): string =>
  next_charge === null
    ? 'None'
    : `${formatMoney(next_charge.amount_cents, currency)}${next_charge.tax_cents ? `, including ${formatMoney(next_charge.tax_cents, currency)} tax,` : ''} on ${formatDay(next_charge.at, timeZone)}`;

export const PlanFacts = ({ plan, user }: { plan: PlanView; user: Me }) => {
  const end = endOf(plan, user.timezone);
  const isFree = hasOnlyFreeTexts(plan);
  return (
    <FactList>
      <SubscriptionFacts
        subscription={{ ...plan, status: shownStatus(plan) }}
        user={user}
        isFree={isFree}
      />
      {isFree ? null : (
        <Fact name="Price">
          {formatMoney(plan.price_cents, plan.currency)} {perPeriod(plan.plan)}
          {plan.next_charge?.tax_cents ? ' plus tax' : ''}
        </Fact>
      )}
      {plan.offer ? (
        <Fact name="Promotion">
          {plan.offer.code}: {plan.offer.price}
        </Fact>
      ) : null}
      <Fact name="Next charge">{nextCharge(plan, user.timezone)}</Fact>
      {plan.cancel_at_period_end && end !== null ? (
        <Fact name={user.opted_out || plan.hold ? 'Plan ends' : 'Texts until'}>{end}</Fact>
      ) : null}
      {plan.credit_cents > 0 ? (
        <Fact name="Credit">{formatMoney(plan.credit_cents, plan.currency)}</Fact>
      ) : null}
      {plan.card ? <Fact name="Card">{cardInWords(plan.card)}</Fact> : null}
    </FactList>
  );
};
