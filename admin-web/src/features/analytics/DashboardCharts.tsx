import type { SubscriptionDay } from '@daylift/contracts/figures.http';
import type { Forecast } from '@daylift/contracts/forecast.http';
import type { DailyStats } from '@daylift/contracts/sms-operations.http';
import { formatFullHour, formatLocalDate } from '@daylift/ui/formats';
import { SimpleGrid } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ColumnChart, type Series } from '../../components/ColumnChart.tsx';
import { shortDay, TextsPerDay } from '../../components/TextsPerDay.tsx';
import { useTimeFormat } from '../../components/use-time-format.ts';
import { dailyTextsQuery, forecastQuery } from '../../shared.queries.ts';
import { subscriptionDaysQuery } from './analytics.queries.ts';
import { ChartRange, useChartRange } from './ChartRange.tsx';
import { ChartSection } from './ChartSection.tsx';
import {
  byWeek,
  compareRates,
  compareSubscriptions,
  compareTexts,
  describeLoad,
  describeRate,
  describeSubscriptions,
  describeTexts,
  splitPeriods,
} from './chart-figures.ts';
import { RateChart } from './RateChart.tsx';

type Hour = Forecast['hours'][number];

const shownHours = 24;
const nextHours = ({ as_of, hours }: Forecast) => ({ as_of, hours: hours.slice(0, shownHours) });

const steps: Series<SubscriptionDay>[] = [
  { name: 'Trials started', tone: 'sky', value: (day) => day.trials_started },
  { name: 'First payments', tone: 'green', value: (day) => day.converted },
  { name: 'Canceled', tone: 'red', value: (day) => day.churned },
];
const people: Series<Hour>[] = [{ name: 'Texts', tone: 'sky', value: (hour) => hour.people }];

const dayName = ({ date }: { date: string }): string => formatLocalDate(date);
const weekName = ({ date }: { date: string }): string => `Week from ${formatLocalDate(date)}`;

const Subscriptions = ({ days }: { days: SubscriptionDay[] }) => {
  const isLong = days.length > 31;
  return (
    <ColumnChart
      label={`Trials and conversions by ${isLong ? 'week' : 'day'}`}
      rows={isLong ? byWeek(days) : days}
      series={steps}
      rowName={isLong ? weekName : dayName}
      axisName={shortDay}
      sideBySide
    />
  );
};

export const DashboardCharts = () => {
  const range = useChartRange();
  const { days, compares } = range;
  const shown = { placeholderData: keepPreviousData };
  const texts = useQuery({
    ...dailyTextsQuery(days * 2),
    ...shown,
    select: splitPeriods<DailyStats>,
  });
  const subscriptions = useQuery({
    ...subscriptionDaysQuery(days * 2),
    ...shown,
    select: splitPeriods<SubscriptionDay>,
  });
  // The Forecast page shows more of the same.
  const load = useQuery({
    ...forecastQuery,
    // Each read may start a computation for all subscribers, and its result comes later.
    refetchInterval: ({ state: { data } }) => (data?.progress == null ? 5 * 60_000 : 1_000),
    select: nextHours,
  });
  const time = useTimeFormat();
  return (
    <>
      <ChartRange range={range} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <ChartSection
          title="Texts per Day"
          query={texts}
          describe={({ now }) => describeTexts(now)}
          compare={compares ? compareTexts : undefined}
        >
          {({ now }) => <TextsPerDay days={now} />}
        </ChartSection>
        <ChartSection
          title="Delivery Rate"
          query={texts}
          describe={({ now }) => describeRate(now)}
          compare={compares ? compareRates : undefined}
        >
          {({ now }) => <RateChart days={now} />}
        </ChartSection>
        <ChartSection
          title="Trials and Conversions"
          query={subscriptions}
          describe={({ now }) => describeSubscriptions(now)}
          compare={compares ? compareSubscriptions : undefined}
        >
          {({ now }) => <Subscriptions days={now} />}
        </ChartSection>
        <ChartSection
          title="Next 24 Hours"
          query={load}
          describe={(data) => describeLoad(data, time.timeOnly)}
        >
          {({ hours }) => (
            <ColumnChart
              label="Texts in each of the next 24 hours"
              rows={hours}
              series={people}
              rowName={(hour) => time.short(hour.starts_at)}
              axisName={(hour) => formatFullHour(hour.starts_at, time.zone)}
            />
          )}
        </ChartSection>
      </SimpleGrid>
    </>
  );
};
