import type { AdminAnalytics } from '@daylift/contracts/gateway.http';
import { formatCost, formatCount, formatDays, formatMoney } from '@daylift/ui/formats';
import { SimpleGrid } from '@mantine/core';
import {
  IconCoin,
  IconCreditCard,
  IconDoorExit,
  IconReceiptRefund,
  IconTrendingUp,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCatalogue } from '../../catalogue.ts';
import { FigureCard } from '../../components/FigureCard.tsx';
import { dailyTextsQuery, lostDaySettingsQuery } from '../../shared.queries.ts';
import { subscriptionDaysQuery } from './analytics.queries.ts';
import classes from './BusinessCards.module.css';
import {
  cardDays,
  cardSpan,
  describeChurn,
  describeConversion,
  paidChurn,
  percentOf,
  sumOf,
  trialsToPaid,
} from './business.ts';

const rate = (part: number, whole: number): string =>
  whole === 0 ? 'None yet' : `${Math.min(percentOf(part, whole), 100)}%`;

const Conversion = () => {
  const trialDays = useCatalogue()?.trial_days;
  const { data } = useQuery(subscriptionDaysQuery(cardDays));
  const result = data && trialDays !== undefined ? trialsToPaid(data, trialDays) : null;
  return (
    <FigureCard
      label="Trial to Paid"
      value={result ? rate(result.paid, result.trials) : undefined}
      note={result ? describeConversion(result) : ''}
      icon={<IconTrendingUp size={20} />}
    />
  );
};

const Churn = ({ paying }: { paying: number | undefined }) => {
  const { data } = useQuery(subscriptionDaysQuery(cardDays));
  const result = data && paying !== undefined ? paidChurn(data, paying) : null;
  return (
    <FigureCard
      label="Churn"
      value={result ? rate(result.left, result.of) : undefined}
      note={result ? describeChurn(result) : ''}
      icon={<IconDoorExit size={20} />}
    />
  );
};

const Cost = ({ total }: { total: number | undefined }) => {
  const { data } = useQuery(dailyTextsQuery(cardDays));
  return (
    <FigureCard
      label="SMS Cost"
      value={
        data
          ? formatCost(
              sumOf(data.slice(-cardSpan), (day) => day.cost),
              'USD',
            )
          : undefined
      }
      note={
        total === undefined
          ? ''
          : `in ${cardSpan} days, ${formatCost(total, 'USD')} in total; excludes welcome texts, codes and replies`
      }
      icon={<IconCoin size={20} />}
    />
  );
};

const Credits = () => {
  const month = useQuery(lostDaySettingsQuery).data?.this_month;
  return (
    <FigureCard
      label="Delivery Credits"
      value={
        month
          ? [month, ...(month.others ?? [])]
              .map((one) => formatMoney(one.credit_cents, one.currency))
              .join(' + ')
          : undefined
      }
      note={month ? `for ${formatDays(month.days)} without a text this month` : ''}
      icon={<IconReceiptRefund size={20} />}
    />
  );
};

/** Business figures: paying subscribers, retention, and the cost of texts and failures. */
export const BusinessCards = ({ figures }: { figures: AdminAnalytics | undefined }) => (
  <SimpleGrid cols={{ base: 2, md: 3, lg: 5 }} className={classes.cards}>
    <FigureCard
      label="Paying Subscribers"
      value={figures?.subscriptions.active}
      note={figures ? `and ${formatCount(figures.subscriptions.trial)} on trial` : ''}
      icon={<IconCreditCard size={20} />}
    />
    <Conversion />
    <Churn paying={figures?.subscriptions.active} />
    <Cost total={figures?.sms.total_cost} />
    <Credits />
  </SimpleGrid>
);
