import { formatCount, formatShortCount } from '@daylift/ui/formats';
import { BarChart } from '@mantine/charts';
import { ChartFigure } from './ChartFigure.tsx';
import { barHeight, countTicks, evenLabels } from './chart-scales.ts';
import type { Column } from './DataTable.tsx';

const colors = {
  green: 'green.6',
  sky: 'sky.5',
  red: 'red.6',
  yellow: 'yellow.4',
  ink: 'gray.6',
} as const;

export interface Series<T> {
  name: string;
  tone: keyof typeof colors;
  value: (row: T) => number;
}

/** A column chart over days or hours, stacked when the series add up to a whole. */
export const ColumnChart = <T,>({
  label,
  rows,
  series,
  rowName,
  axisName,
  sideBySide = false,
}: {
  label: string;
  rows: T[];
  series: Series<T>[];
  rowName: (row: T) => string;
  /** Short label below the column. */
  axisName: (row: T) => string;
  sideBySide?: boolean;
}) => {
  const columns: Column<T>[] = [
    { header: 'When', cell: rowName },
    ...series.map(({ name, value }) => ({
      header: name,
      cell: (row: T) => formatCount(value(row)),
      numeric: true,
    })),
  ];
  const most = Math.max(
    0,
    ...rows.map((row) => {
      const values = series.map(({ value }) => value(row));
      return sideBySide ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0);
    }),
  );
  const ticks = countTicks(most);
  const top = ticks.at(-1) ?? most;
  return (
    <ChartFigure label={label} columns={columns} rows={rows} rowKey={rowName}>
      <BarChart
        h={240}
        type={sideBySide ? 'default' : 'stacked'}
        dataKey="axis"
        data={rows.map((row) => ({
          axis: axisName(row),
          ...Object.fromEntries(series.map(({ name, value }) => [name, value(row)])),
          drawn: Object.fromEntries(
            series.map(({ name, value }) => [name, barHeight(value(row), top)]),
          ),
        }))}
        series={series.map(({ name, tone }) => ({ name, color: colors[tone] }))}
        withLegend={series.length > 1}
        legendProps={{ itemSorter: null }}
        tickLine="none"
        gridAxis="x"
        xAxisProps={evenLabels}
        yAxisProps={{ ticks, domain: [0, top], tickFormatter: formatShortCount, width: 48 }}
        valueFormatter={formatCount}
        barChartProps={{ accessibilityLayer: false, barGap: 0, barCategoryGap: '15%' }}
        barProps={({ name }) => ({
          isAnimationActive: false,
          // The tooltip shows the count of this name.
          dataKey: `drawn.${name}`,
        })}
      />
    </ChartFigure>
  );
};
