import type { ProviderError } from '@daylift/contracts/sms-operations.http';
import { formatCount } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge } from '@daylift/ui/StatusBadge';
import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { errorsQuery } from './sms-system.queries.ts';

const phases = { sync: 'send response', async: 'delivery receipt' };

const columns: Column<ProviderError>[] = [
  {
    header: 'Code',
    cell: ({ code, phase }) => (
      <Stack gap={0}>
        <Text fw={700}>{code}</Text>
        {phase ? (
          <Text fz="sm" c="dimmed">
            {phases[phase]}
          </Text>
        ) : null}
      </Stack>
    ),
  },
  { header: 'Meaning', cell: ({ meaning }) => meaning },
  {
    header: 'What happens',
    cell: ({ action, alerts }) => (
      <Group gap="xs">
        <span>{action}</span>
        {alerts ? <Badge tone="yellow">Alerts</Badge> : null}
      </Group>
    ),
  },
  { header: 'Last 30 days', cell: ({ texts }) => formatCount(texts), numeric: true },
];

const byCount = (errors: ProviderError[]) =>
  errors.toSorted((one, other) => other.texts - one.texts || one.code.localeCompare(other.code));

/** The outcome table, most frequent codes first. */
export const ErrorsTable = () => {
  const query = useQuery(errorsQuery);
  return (
    <QueryView query={query} lines={8}>
      {(data) => (
        <Stack gap="md">
          <Text c="dimmed">
            How we handle each provider error code. Codes marked “Alerts” trigger an email to the
            alert address.
          </Text>
          <DataTable
            label="Provider errors"
            columns={columns}
            rows={byCount(data)}
            rowKey={({ code, phase, meaning }) => `${code} ${phase} ${meaning}`}
            firstOnPhone={4}
          />
        </Stack>
      )}
    </QueryView>
  );
};
