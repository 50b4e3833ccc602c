import { describeError } from '@daylift/api-client/operators-errors';
import { useAction } from '@daylift/api-client/use-action';
import type { AdminAccount, AdminInvitation } from '@daylift/contracts/admins.http';
import type { AdminRole } from '@daylift/contracts/fields';
import { ConfirmDialog } from '@daylift/ui/ConfirmDialog';
import { Radio, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { admins } from '../../api.ts';
import { notifyDone } from '../../components/notify.ts';
import { roleLabel, roles } from '../../session/roles.ts';
import { adminsQuery } from './admins.queries.ts';

export interface AdminChange {
  kind: 'role' | 'deactivate' | 'activate' | 'invite' | 'totp';
  admin: AdminAccount;
}

/** What each change asks, and says once it is done. */
const words: Record<
  AdminChange['kind'],
  { title: string; confirm: string; danger?: boolean; asks: string; done: string }
> = {
  role: {
    title: 'Change the role of NAME?',
    confirm: 'Change role',
    asks: 'NAME is signed out and comes in with the new role at the next sign-in.',
    done: 'NAME has another role now.',
  },
  deactivate: {
    title: 'Deactivate NAME?',
    confirm: 'Deactivate',
    danger: true,
    asks: 'NAME is signed out at once and cannot sign in until an owner activates them again.',
    done: 'NAME is deactivated.',
  },
  activate: {
    title: 'Activate NAME?',
    confirm: 'Activate',
    asks: 'NAME can sign in again with the password they had.',
    done: 'NAME is activated.',
  },
  invite: {
    title: 'Invite NAME anew?',
    confirm: 'Make invitation',
    danger: true,
    asks: 'The present password of NAME and every earlier invitation end at once. A new link lets them choose a password.',
    done: 'There is a new invitation for NAME.',
  },
  totp: {
    title: 'Remove the two-step sign-in of NAME?',
    confirm: 'Remove two-step',
    danger: true,
    asks: 'NAME is signed out, and then signs in with the password alone. Only do this once you are sure that it is really they who ask.',
    done: 'The two-step sign-in of NAME is removed.',
  },
};

const carryOut = ({
  kind,
  admin,
  role,
}: AdminChange & { role: AdminRole }): Promise<AdminAccount | AdminInvitation> => {
  if (kind === 'role') return admins.change(admin.id, { role });
  if (kind === 'invite') return admins.inviteAgain(admin.id);
  if (kind === 'totp') return admins.removeTotp(admin.id);
  return admins.change(admin.id, { is_active: kind === 'activate' });
};

/** Asks before the access of somebody changes. */
export const AdminChangeDialog = ({
  change: { kind, admin },
  onInvited,
  onClose,
}: {
  change: AdminChange;
  onInvited: (invitation: AdminInvitation) => void;
  onClose: () => void;
}) => {
  const queryClient = useQueryClient();
  const [role, setRole] = useState(admin.role);
  const named = (text: string) => text.replaceAll('NAME', admin.username);
  const { title, confirm, danger, asks, done } = words[kind];
  const acting = useAction({
    mutationFn: carryOut,
    onSuccess: async (answer) => {
      if ('invitation_url' in answer) onInvited(answer);
      else notifyDone(named(done));
      onClose();
      await queryClient.invalidateQueries({ queryKey: adminsQuery.queryKey });
    },
  });
  return (
    <ConfirmDialog
      opened
      title={named(title)}
      confirmLabel={confirm}
      tone={danger ? 'danger' : 'calm'}
      busy={acting.isPending}
      error={acting.isError ? describeError('change admin', acting.error) : null}
      onConfirm={() => acting.mutate({ kind, admin, role })}
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
        <span>{named(asks)}</span>
      </Stack>
    </ConfirmDialog>
  );
};
