import type { ImportLine, ImportReport } from '@daylift/contracts/scheduled-messages.http';
import { formatCount, formatLocalDate } from '@daylift/ui/formats';
import { Badge, type BadgeTone } from '@daylift/ui/StatusBadge';
import { ScrollArea, Text } from '@mantine/core';
import { type Column, DataTable } from '../../../components/DataTable.tsx';

const states: Record<ImportLine['status'], { tone: BadgeTone; label: string }> = {
  ok: { tone: 'green', label: 'Ready' },
  already_there: { tone: 'grey', label: 'Duplicate' },
  invalid: { tone: 'red', label: 'Invalid' },
};

/** Invalid dates are shown as written. */
const dateOf = ({ date, status }: ImportLine): string => {
  if (date === '') return 'None';
  return status === 'invalid' ? date : formatLocalDate(date);
};

/** Lines to fix come first. */
const invalidFirst = (lines: ImportLine[]): ImportLine[] =>
  lines.toSorted((a, b) => Number(b.status === 'invalid') - Number(a.status === 'invalid'));

const columns = (isStored: boolean): Column<ImportLine>[] => [
  { header: 'Line', cell: (line) => line.line },
  { header: 'Date', cell: (line) => dateOf(line) },
  { header: 'Title', cell: (line) => line.title || 'None' },
  {
    header: 'Result',
    cell: (line) => {
      const { tone, label } = states[line.status];
      return <Badge tone={tone}>{isStored && line.status === 'ok' ? 'Imported' : label}</Badge>;
    },
  },
  { header: 'Details', cell: (line) => line.detail ?? '' },
];

const summary = (report: ImportReport): string => {
  const parts = [
    report.imported > 0
      ? `${formatCount(report.imported)} imported`
      : `${formatCount(report.ok)} ready`,
    `${formatCount(report.already_there)} ${report.already_there === 1 ? 'duplicate' : 'duplicates'}`,
    `${formatCount(report.invalid)} invalid`,
  ];
  return `${parts.join(', ')}.`;
};

export const ReportTable = ({ report }: { report: ImportReport }) => (
  <div>
    <Text role="status" fw={700} mb="xs">
      {summary(report)}
    </Text>
    <ScrollArea.Autosize
      mah="22rem"
      type="auto"
      offsetScrollbars="y"
      viewportProps={{ tabIndex: 0, 'aria-label': 'Report', role: 'region' }}
    >
      <DataTable
        label="Import report"
        columns={columns(report.imported > 0)}
        rows={invalidFirst(report.lines)}
        rowKey={(line) => String(line.line)}
      />
    </ScrollArea.Autosize>
  </div>
);
