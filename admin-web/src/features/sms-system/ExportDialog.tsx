import { download } from '@daylift/api-client/download';
import { useAction } from '@daylift/api-client/use-action';
import { saveFile } from '@daylift/ui/save-file';
import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../api.ts';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { StatusSelect } from './StatusSelect.tsx';
import type { LogFilter } from './sms-system.queries.ts';

/** A report of a year is slow. */
const exportMs = 10 * 60_000;

/** Exports the delivery report for a date range and status. */
export const ExportDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const [filter, setFilter] = useState<LogFilter>({});
  const exporting = useAction({
    mutationFn: (wanted: LogFilter) =>
      download(client, 'GET /admin/sms-logs/export', { query: wanted, timeoutMs: exportMs }),
    onSuccess: ({ file, name }) => {
      saveFile(file, name ?? 'delivery-report.csv');
    },
  });
  const day = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="date"
      label={label}
      value={filter[name] ?? ''}
      onChange={(event) => {
        const value = event.currentTarget.value;
        setFilter(({ [name]: _before, ...rest }) => (value ? { ...rest, [name]: value } : rest));
      }}
    />
  );
  return (
    <ActionDialog
      opened={opened}
      input={filter}
      mutation={exporting}
      action="export delivery logs"
      done={() => 'Delivery report downloaded.'}
      title="Export the delivery report"
      confirmLabel="Export CSV"
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text>
          One line per text, with phone numbers. Covers up to 366 days, or the last 30 if you leave
          the dates empty. Exports are recorded in the audit log.
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {day('from', 'First day')}
          {day('to', 'Last day')}
        </SimpleGrid>
        <StatusSelect
          value={filter.status}
          onChange={(status) =>
            setFilter(({ status: _before, ...rest }) => (status ? { ...rest, status } : rest))
          }
        />
      </Stack>
    </ActionDialog>
  );
};
