import { formatCount } from '@daylift/ui/formats';
import { BarChart } from '@mantine/charts';
import { ChartFigure } from './ChartFigure.tsx';
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
  return (
    <ChartFigure label={label} columns={columns} rows={rows} rowKey={rowName}>
      <BarChart
        h={240}
        type={sideBySide ? 'default' : 'stacked'}
        dataKey="axis"
        data={rows.map((row) => ({
          axis: axisName(row),
          ...Object.fromEntries(series.map(({ name, value }) => [name, value(row)])),
        }))}
        series={series.map(({ name, tone }) => ({ name, color: colors[tone] }))}
        withLegend={series.length > 1}
        tickLine="none"
        gridAxis="x"
        yAxisProps={{ allowDecimals: false, width: 48 }}
        valueFormatter={formatCount}
        barChartProps={{ accessibilityLayer: false }}
        barProps={{ isAnimationActive: false }}
      />
    </ChartFigure>
  );
};
