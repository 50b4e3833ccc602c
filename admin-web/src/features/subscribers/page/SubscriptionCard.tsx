import { shownStatusOf } from '@daylift/contracts/shown-status';
import type { AdminSubscriber, AdminSubscription } from '@daylift/contracts/timeline.http';
import { Fact, FactList } from '@daylift/ui/FactList';
import { capitalized, formatDays, formatMoney } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { SubscriptionStatusBadge, statusMeanings } from '@daylift/ui/StatusBadge';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Section } from '../../../components/Section.tsx';
import { Time } from '../../../components/Time.tsx';
import { StaffActions } from './StaffActions.tsx';
import { subscriptionQuery } from './subscriber-page.queries.ts';

const holds: Record<NonNullable<AdminSubscription['hold']>, string> = {
  disputed: 'Paused while a payment is disputed; renewals aren’t charged',
  lost: 'Ended: a dispute was lost',
  refunded: 'Paused until the next payment: the last one was refunded',
};

const Plan = ({ view, timezone }: { view: AdminSubscription; timezone: string }) => {
  const { next_charge, currency, card } = view;
  const status = shownStatusOf(view.status, view.free_until !== null);
  return (
    <FactList>
      <Fact name="Status">
        <SubscriptionStatusBadge status={status} /> {statusMeanings[status]}
      </Fact>
      {view.hold ? <Fact name="Texts">{holds[view.hold]}</Fact> : null}
      <Fact name="Plan">
        {capitalized(view.plan)}, {formatMoney(view.price_cents, currency)}
      </Fact>
      {view.price_change ? (
        <Fact name="New price">
          {formatMoney(view.price_change.to_cents, currency)} from{' '}
          <Time at={view.price_change.at} zone={timezone} />
          {view.price_change.declined ? ' (opted out: the plan ends then)' : ''}
        </Fact>
      ) : null}
      {view.offer ? (
        <Fact name="Promotion">
          {view.offer.code}: {view.offer.price}
        </Fact>
      ) : null}
      {view.started_at ? (
        <Fact name="Started">
          <Time at={view.started_at} zone={timezone} />
        </Fact>
      ) : null}
      {view.status === 'trial' && view.trial_end_date ? (
        <Fact name="Trial ends">
          <Time at={view.trial_end_date} zone={timezone} />
        </Fact>
      ) : null}
      {view.current_period_end ? (
        <Fact name={view.cancel_at_period_end ? "Ends (won't renew)" : 'Period ends'}>
          <Time at={view.current_period_end} zone={timezone} />
        </Fact>
      ) : null}
      {view.free_until ? (
        <Fact name="Free until">
          <Time at={view.free_until} zone={timezone} />
        </Fact>
      ) : null}
      <Fact name="Next charge">
        {next_charge === null ? (
          'None'
        ) : (
          <>
            {formatMoney(next_charge.amount_cents, currency)}
            {next_charge.tax_cents
              ? ` (including ${formatMoney(next_charge.tax_cents, currency)} tax)`
              : ''}{' '}
            on <Time at={next_charge.at} zone={timezone} />
          </>
        )}
      </Fact>
      <Fact name="Credit">
        {formatMoney(view.credit_cents, currency)}
        {view.lost_days
          ? `, including ${formatMoney(view.lost_days.credit_cents, currency)} for ${formatDays(view.lost_days.days)} without a text`
          : ''}
      </Fact>
      <Fact name="Card">
        {card === null ? 'None' : `${capitalized(card.brand)} ending in ${card.last4}`}
      </Fact>
    </FactList>
  );
};

const disputeStates: Record<NonNullable<AdminSubscription['disputes']>[number]['state'], string> = {
  inquiry: 'the bank asked for information',
  open: 'the bank is reviewing it',
  won: 'won',
  lost: 'lost',
  closed: 'closed without a dispute',
};

const Disputes = ({ view, timezone }: { view: AdminSubscription; timezone: string }) => (
  <>
    <Text component="h3" fw={800} fz="md" mt="md">
      Disputes
    </Text>
    <FactList>
      {view.disputes?.map((dispute) => (
        <Fact key={dispute.id} name={<Time at={dispute.created_at} zone={timezone} />}>
          {formatMoney(dispute.amount_cents, dispute.currency)},{' '}
          {dispute.reason.replaceAll('_', ' ')}, {disputeStates[dispute.state]}
          {dispute.respond_by ? (
            <>
              . Submit evidence in Stripe by <Time at={dispute.respond_by} zone={timezone} />
            </>
          ) : null}
        </Fact>
      ))}
    </FactList>
  </>
);

const Invoices = ({ view, timezone }: { view: AdminSubscription; timezone: string }) => (
  <>
    <Text component="h3" fw={800} fz="md" mt="md">
      Bills
    </Text>
    {view.invoices.length === 0 ? <Text c="dimmed">None yet.</Text> : null}
    <FactList>
      {view.invoices.map((bill) => (
        <Fact key={bill.id} name={<Time at={bill.issued_at} zone={timezone} />}>
          {formatMoney(bill.amount_cents, bill.currency)}, {bill.status}
          {bill.tax_cents ? `, including ${formatMoney(bill.tax_cents, bill.currency)} tax` : ''}
          {bill.credit_cents > 0
            ? `, ${formatMoney(bill.credit_cents, bill.currency)} credit used`
            : ''}
          {bill.refunded_cents > 0 && bill.status !== 'refunded'
            ? `, ${formatMoney(bill.refunded_cents, bill.currency)} refunded`
            : ''}
        </Fact>
      ))}
    </FactList>
  </>
);

export const SubscriptionCard = ({ subscriber }: { subscriber: AdminSubscriber }) => {
  const { id, timezone } = subscriber;
  const query = useQuery(subscriptionQuery(id));
  return (
    <Section title="Subscription">
      <QueryView query={query} lines={6}>
        {(data) => (
          <>
            <Plan view={data} timezone={timezone} />
            {data.disputes?.length ? <Disputes view={data} timezone={timezone} /> : null}
            <Invoices view={data} timezone={timezone} />
          </>
        )}
      </QueryView>
      <StaffActions subscriber={subscriber} />
    </Section>
  );
};
