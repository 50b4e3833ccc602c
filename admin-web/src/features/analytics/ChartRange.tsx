import { Checkbox, Group, SegmentedControl } from '@mantine/core';
import { useUrlParams } from '../../components/use-url-params.ts';
import { spanInWords } from './chart-figures.ts';

const usual = 30;
/** The longest is whole weeks, so it can be summed up by week. */
const ranges = [7, usual, 91];

/** The range of the charts, which is part of the URL. */
export const useChartRange = () => {
  const [params, change] = useUrlParams();
  return {
    days: ranges.find((days) => String(days) === params.get('days')) ?? usual,
    compares: params.get('compare') === 'before',
    change: (changes: { days?: string | null; compare?: string | null }) =>
      change(changes, { replace: true }),
  };
};

export const ChartRange = ({ range }: { range: ReturnType<typeof useChartRange> }) => {
  const { days, compares, change } = range;
  return (
    <Group gap="md" role="group" aria-label="Charts">
      <SegmentedControl
        size="md"
        aria-label="Range"
        value={String(days)}
        onChange={(value) => change({ days: value === String(usual) ? null : value })}
        data={ranges.map((one) => ({ value: String(one), label: spanInWords(one) }))}
      />
      <Checkbox
        py="0.625rem"
        label="Compare with the period before"
        checked={compares}
        onChange={(event) => change({ compare: event.currentTarget.checked ? 'before' : null })}
      />
    </Group>
  );
};
