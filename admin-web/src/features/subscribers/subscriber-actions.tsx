import type { AdminUser } from '@daylift/contracts/accounts.http';
import { useState } from 'react';
import { useMay } from '../../session/use-admin.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { EditDialog } from './EditDialog.tsx';
import { OptOutDialog } from './OptOutDialog.tsx';
import { StatusDialog } from './StatusDialog.tsx';

type Person = Pick<AdminUser, 'id' | 'name' | 'email' | 'phone' | 'is_active' | 'opted_out'>;
type Kind = 'edit' | 'status' | 'opt-out' | 'delete';

export interface SubscriberAction {
  label: string;
  isDanger: boolean;
  open: () => void;
}

/** Returns what this admin may do with a subscriber, and the dialogs for it. */
export function useSubscriberActions(leave?: (id: string) => Promise<void>) {
  const mayManage = useMay('operator');
  const mayDelete = useMay('owner');
  const [open, setOpen] = useState<{ kind: Kind; user: Person } | null>(null);
  const close = () => setOpen(null);
  const userOf = (kind: Kind) => (open?.kind === kind ? open.user : null);
  const actionsFor = (user: Person): SubscriberAction[] => {
    const action = (kind: Kind, label: string): SubscriberAction => ({
      label,
      isDanger: kind === 'delete' || kind === 'opt-out',
      open: () => setOpen({ kind, user }),
    });
    return [
      action('edit', 'Edit'),
      action('status', user.is_active ? 'Pause' : 'Activate'),
      ...(user.opted_out ? [] : [action('opt-out', 'Opt out')]),
      ...(mayDelete ? [action('delete', 'Delete')] : []),
    ];
  };
  const dialogs = (
    <>
      <EditDialog user={userOf('edit')} onClose={close} />
      <StatusDialog user={userOf('status')} onClose={close} />
      <OptOutDialog user={userOf('opt-out')} onClose={close} />
      <DeleteDialog user={userOf('delete')} leave={leave} onClose={close} />
    </>
  );
  return { mayManage, actionsFor, dialogs };
}
