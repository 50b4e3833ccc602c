import type { DailyStats } from '@daylift/contracts/sms-operations.http';
import { formatLocalDate } from '@daylift/ui/formats';
import { LineChart } from '@mantine/charts';
import { ChartFigure } from '../../components/ChartFigure.tsx';
import { evenLabels, rateTicks } from '../../components/chart-scales.ts';
import { shortDay } from '../../components/TextsPerDay.tsx';
import { deliveryRate } from './chart-figures.ts';

const words = (rate: number | null): string => (rate === null ? 'No texts' : `${rate}%`);

/** Delivery rate per day; a day without texts is a gap. */
export const RateChart = ({ days }: { days: DailyStats[] }) => {
  const ticks = rateTicks(days.map(deliveryRate));
  return (
    <ChartFigure
      label="Delivery rate by day"
      rows={days}
      rowKey={(day) => day.date}
      columns={[
        { header: 'Day', cell: (day) => formatLocalDate(day.date) },
        { header: 'Delivery rate', cell: (day) => words(deliveryRate(day)), numeric: true },
      ]}
    >
      <LineChart
        h={240}
        dataKey="axis"
        data={days.map((day) => ({
          axis: shortDay(day),
          'Delivery rate': deliveryRate(day),
        }))}
        series={[{ name: 'Delivery rate', color: 'green.6' }]}
        curveType="linear"
        withDots={days.length <= 31}
        connectNulls={false}
        tickLine="none"
        gridAxis="x"
        xAxisProps={evenLabels}
        yAxisProps={{ ticks, domain: [ticks[0] ?? 0, 100], width: 48 }}
        valueFormatter={(value) => `${value}%`}
        lineChartProps={{ accessibilityLayer: false }}
        lineProps={{ isAnimationActive: false }}
      />
    </ChartFigure>
  );
};
