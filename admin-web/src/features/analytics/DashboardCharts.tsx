import type { SubscriptionDay } from '@daylift/contracts/figures.http';
import type { SchedulerLoad } from '@daylift/contracts/load.http';
import { formatFullHour, formatLocalDate } from '@daylift/ui/formats';
import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ColumnChart, type Series } from '../../components/ColumnChart.tsx';
import { shortDay, TextsPerDay } from '../../components/TextsPerDay.tsx';
import { useTimeFormat } from '../../components/use-time-format.ts';
import { dailyTextsQuery } from '../../shared.queries.ts';
import { hourlyLoadQuery, subscriptionDaysQuery } from './analytics.queries.ts';
import { cardSpan } from './business.ts';
import { ChartSection } from './ChartSection.tsx';
import {
  describeLoad,
  describeRate,
  describeSubscriptions,
  describeTexts,
} from './chart-figures.ts';
import { RateChart } from './RateChart.tsx';

type Hour = SchedulerLoad['hours'][number];

const steps: Series<SubscriptionDay>[] = [
  { name: 'Trials started', tone: 'sky', value: (day) => day.trials_started },
  { name: 'First payments', tone: 'green', value: (day) => day.converted },
  { name: 'Canceled', tone: 'red', value: (day) => day.churned },
];
const people: Series<Hour>[] = [{ name: 'Subscribers', tone: 'sky', value: (hour) => hour.people }];

const dayName = ({ date }: { date: string }): string => formatLocalDate(date);

export const DashboardCharts = () => {
  const texts = useQuery(dailyTextsQuery(cardSpan));
  const subscriptions = useQuery(subscriptionDaysQuery(cardSpan));
  const load = useQuery(hourlyLoadQuery);
  const time = useTimeFormat();
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <ChartSection title="Texts per Day" query={texts} describe={describeTexts}>
        {(days) => <TextsPerDay days={days} />}
      </ChartSection>
      <ChartSection title="Delivery Rate" query={texts} describe={describeRate}>
        {(days) => <RateChart days={days} />}
      </ChartSection>
      <ChartSection
        title="Trials and Conversions"
        query={subscriptions}
        describe={describeSubscriptions}
      >
        {(days) => (
          <ColumnChart
            label="Trials and conversions by day"
            rows={days}
            series={steps}
            rowName={dayName}
            axisName={shortDay}
            sideBySide
          />
        )}
      </ChartSection>
      <ChartSection
        title="Next 24 Hours"
        query={load}
        describe={(hours) => describeLoad(hours, time.timeOnly)}
      >
        {(hours) => (
          <ColumnChart
            label="Subscribers due in each of the next 24 hours"
            rows={hours}
            series={people}
            rowName={(hour) => time.short(hour.starts_at)}
            axisName={(hour) => formatFullHour(hour.starts_at, time.zone)}
          />
        )}
      </ChartSection>
    </SimpleGrid>
  );
};
