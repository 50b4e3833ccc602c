import type { AuditEntry } from '@daylift/contracts/audit.http';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Time } from '../../components/Time.tsx';
import classes from './AuditTable.module.css';
import { describeAction, describeDetails, describeTarget, isInstant } from './words.ts';

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

const Target = ({ entry }: { entry: AuditEntry }) => {
  const target = describeTarget(entry);
  if (target === null) return null;
  if (target.path === null) return target.label;
  return (
    <Anchor component={Link} to={target.path} className={classes.target}>
      {target.label}
    </Anchor>
  );
};

const columns: Column<AuditEntry>[] = [
  {
    header: 'When',
    cell: ({ at }) => <Time at={at} />,
  },
  { header: 'Admin', cell: ({ admin }) => admin ?? 'Unknown' },
  { header: 'Action', cell: (entry) => <Action entry={entry} /> },
  { header: 'Target', cell: (entry) => <Target entry={entry} /> },
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
