import type { DailyStats } from '@daylift/contracts/sms-operations.http';
import { formatLocalDate } from '@daylift/ui/formats';
import { ColumnChart, type Series } from './ColumnChart.tsx';

const outcomes: Series<DailyStats>[] = [
  { name: 'Delivered', tone: 'green', value: (day) => day.delivered },
  { name: 'Sent', tone: 'sky', value: (day) => day.sent },
  { name: 'Failed', tone: 'red', value: (day) => day.failed },
  { name: 'Unknown', tone: 'yellow', value: (day) => day.unknown },
  { name: 'Missed', tone: 'ink', value: (day) => day.missed },
];

export const hasNoTexts = (days: DailyStats[]): boolean =>
  days.every((day) => outcomes.every(({ value }) => value(day) === 0));

/** `2027-03-20` becomes `03/20`. */
export const shortDay = ({ date }: { date: string }): string => date.slice(5).replace('-', '/');

export const TextsPerDay = ({ days }: { days: DailyStats[] }) => (
  <ColumnChart
    label="Texts per day by outcome"
    rows={days}
    series={outcomes}
    rowName={(day) => formatLocalDate(day.date)}
    axisName={shortDay}
  />
);
