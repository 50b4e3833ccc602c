import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import type { AdminAccount, AdminInvitation } from '@daylift/contracts/admins.http';
import type { AdminRole } from '@daylift/contracts/fields';
import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api.ts';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { notifyDone } from '../../components/notify.ts';
import { roleLabel, roles } from '../../session/roles.ts';

export interface AdminChange {
  kind: 'role' | 'deactivate' | 'activate' | 'invite' | 'totp';
  admin: AdminAccount;
}

/** Confirmation and success messages of each change. */
const words: Record<
  AdminChange['kind'],
  { title: string; confirm: string; danger?: boolean; explanation: string; done: string }
> = {
  role: {
    title: 'Change the role of NAME?',
    confirm: 'Change role',
    explanation: 'NAME is signed out. The new role applies at the next sign-in.',
    done: 'Role changed for NAME.',
  },
  deactivate: {
    title: 'Deactivate NAME?',
    confirm: 'Deactivate',
    danger: true,
    explanation:
      "NAME is signed out immediately and can't sign in until an owner reactivates the account.",
    done: 'NAME was deactivated.',
  },
  activate: {
    title: 'Activate NAME?',
    confirm: 'Activate',
    explanation: 'NAME can sign in again with their existing password.',
    done: 'NAME was activated.',
  },
  invite: {
    title: 'Send NAME a new invitation?',
    confirm: 'Create invitation',
    danger: true,
    explanation:
      "NAME's current password and earlier invitations stop working immediately. A new link lets them choose a password.",
    done: 'New invitation created for NAME.',
  },
  totp: {
    title: 'Turn off two-step sign-in for NAME?',
    confirm: 'Turn off two-step',
    danger: true,
    explanation:
      'NAME is signed out and can then sign in with only a password. Verify their identity first.',
    done: 'Two-step sign-in is off for NAME.',
  },
};

const carryOut = ({
  kind,
  admin,
  role,
}: AdminChange & { role: AdminRole }): Promise<AdminAccount | AdminInvitation> => {
  const params = { id: admin.id };
  if (kind === 'invite') return call('POST /admin/admins/:id/invitation', { params });
  if (kind === 'totp') return call('DELETE /admin/admins/:id/totp', { params });
  const body = kind === 'role' ? { role } : { is_active: kind === 'activate' };
  return call('PUT /admin/admins/:id', { params, body });
};

/** Confirms a change of an admin's access. */
export const AdminChangeDialog = ({
  change: { kind, admin },
  onInvited,
  onClose,
}: {
  change: AdminChange;
  onInvited: (invitation: AdminInvitation) => void;
  onClose: () => void;
}) => {
  const refresh = useRefresh('admins');
  const [role, setRole] = useState(admin.role);
  const named = (text: string) => text.replaceAll('NAME', admin.username);
  const { title, confirm, danger, explanation, done } = words[kind];
  const acting = useAction({
    mutationFn: carryOut,
    onSuccess: async (response) => {
      if ('invitation_url' in response) onInvited(response);
      else notifyDone(named(done));
      onClose();
      await refresh();
    },
  });
  return (
    <ActionDialog
      input={{ kind, admin, role }}
      mutation={acting}
      action="change admin"
      title={named(title)}
      confirmLabel={confirm}
      tone={danger ? 'danger' : 'calm'}
      onClose={onClose}
    >
      <Stack gap="md">
        {kind === 'role' ? (
          <Radio.Group label="Role" value={role} onChange={(value) => setRole(value as AdminRole)}>
            <Stack gap="xs" mt="xs">
              {roles.map(({ value, may }) => (
                <Radio key={value} value={value} label={roleLabel(value)} description={may} />
              ))}
            </Stack>
          </Radio.Group>
        ) : null}
        <span>{named(explanation)}</span>
      </Stack>
    </ActionDialog>
  );
};
