import type { AuditEntry } from '@daylift/contracts/audit.http';
import { Code, Text } from '@mantine/core';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { SubscriberLink } from '../../components/SubscriberLink.tsx';
import { Time } from '../../components/Time.tsx';
import { describeAction, describeDetails, isInstant } from './words.ts';

const Action = ({ entry }: { entry: AuditEntry }) => (
  <div>
    <Text fw={700}>{describeAction(entry.action)}</Text>
    {describeDetails(entry.details).map(([name, value]) => (
      <Text key={name} c="dimmed" fz="sm">
        {name}: {isInstant(value) ? <Time at={value} /> : value}
      </Text>
    ))}
  </div>
);

const target = (entry: AuditEntry) => {
  if (entry.target_subscriber !== null)
    return (
      <SubscriberLink id={entry.target_subscriber.id}>
        {entry.target_subscriber.name}
      </SubscriberLink>
    );
  if (entry.target_admin !== null) return entry.target_admin;
  if (entry.target === null) return null;
  return <Code>{entry.target}</Code>;
};

const columns: Column<AuditEntry>[] = [
  {
    header: 'When',
    cell: ({ at }) => <Time at={at} />,
  },
  { header: 'Admin', cell: ({ admin }) => admin ?? 'Unknown' },
  { header: 'Action', cell: (entry) => <Action entry={entry} /> },
  { header: 'Target', cell: target },
  { header: 'IP address', cell: ({ ip }) => ip ?? 'Unknown' },
  { header: 'Entry', cell: ({ entry }) => entry, numeric: true },
];

export const AuditTable = ({ entries }: { entries: AuditEntry[] }) => (
  <DataTable
    label="Audit log"
    columns={columns}
    rows={entries}
    rowKey={({ entry }) => String(entry)}
  />
);
