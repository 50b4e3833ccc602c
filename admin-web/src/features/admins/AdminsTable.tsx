import type { AdminAccount } from '@daylift/contracts/admins.http';
import { Badge, type BadgeTone } from '@daylift/ui/StatusBadge';
import { Group, Text } from '@mantine/core';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { RowButton } from '../../components/RowButton.tsx';
import { Time } from '../../components/Time.tsx';
import { roleLabel } from '../../session/roles.ts';
import type { AdminChange } from './AdminChangeDialog.tsx';

const states: Record<AdminAccount['state'], { tone: BadgeTone; label: string }> = {
  active: { tone: 'green', label: 'Active' },
  invited: { tone: 'yellow', label: 'Invited' },
  deactivated: { tone: 'grey', label: 'Deactivated' },
};

/** Actions available for an admin in this state. */
const changesOf = ({ state, totp_enabled }: AdminAccount): [AdminChange['kind'], string][] =>
  [
    ['role', 'Change role'],
    ...(state === 'deactivated'
      ? ([['activate', 'Activate']] as const)
      : ([
          ['invite', state === 'invited' ? 'New invitation' : 'Reset password'],
          ['deactivate', 'Deactivate'],
        ] as const)),
    ...(totp_enabled ? ([['totp', 'Turn off two-step']] as const) : []),
  ].map(([kind, label]) => [kind, label] as [AdminChange['kind'], string]);

const Changes = ({
  admin,
  onChange,
}: {
  admin: AdminAccount;
  onChange: (change: AdminChange) => void;
}) => (
  <Group gap="xs" justify="flex-end">
    {changesOf(admin).map(([kind, label]) => (
      <RowButton
        key={kind}
        label={label}
        row={admin.username}
        onClick={() => onChange({ kind, admin })}
      />
    ))}
  </Group>
);

export const AdminsTable = ({
  rows,
  ownId,
  onChange,
}: {
  rows: AdminAccount[];
  ownId: string | undefined;
  onChange: (change: AdminChange) => void;
}) => {
  const columns: Column<AdminAccount>[] = [
    { header: 'Username', cell: (admin) => <Text fw={700}>{admin.username}</Text> },
    { header: 'Email', cell: (admin) => admin.email ?? 'None' },
    { header: 'Role', cell: (admin) => roleLabel(admin.role) },
    {
      header: 'Status',
      cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].label}</Badge>,
    },
    { header: 'Two-step', cell: (admin) => (admin.totp_enabled ? 'On' : 'Off') },
    {
      header: 'Last sign-in',
      cell: ({ last_login_at }) => (last_login_at ? <Time at={last_login_at} /> : 'Never'),
    },
    {
      header: 'Actions',
      numeric: true,
      cell: (admin) =>
        admin.id === ownId ? (
          <Text c="dimmed" fz="sm">
            This is you. Another owner can change your access.
          </Text>
        ) : (
          <Changes admin={admin} onChange={onChange} />
        ),
    },
  ];
  return <DataTable label="Admins" columns={columns} rows={rows} rowKey={(admin) => admin.id} />;
};
