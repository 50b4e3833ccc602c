import { describeError } from '@daylift/api-client/operators-errors';
import type { AdminUser } from '@daylift/contracts/accounts.http';
import { ConfirmDialog } from '@daylift/ui/ConfirmDialog';
import { Text } from '@mantine/core';
import { notifyDone } from '../../components/notify.ts';
import { useSetUserActive } from './subscribers.queries.ts';
import { syncWords } from './sync-words.ts';

type Person = Pick<AdminUser, 'id' | 'name' | 'is_active'>;

export const StatusDialog = ({ user, onClose }: { user: Person | null; onClose: () => void }) => {
  const setActive = useSetUserActive();
  const close = () => {
    setActive.reset();
    onClose();
  };
  const confirm = ({ id, name, is_active }: Person) =>
    setActive.mutate(
      { id, active: !is_active },
      {
        onSuccess: (done) => {
          const state = done.is_active ? 'active' : 'paused';
          notifyDone(`${name} is ${state}. ${syncWords[done.telnyx_sync]}`);
          close();
        },
      },
    );
  const verb = user?.is_active === false ? 'Activate' : 'Pause';
  return (
    <ConfirmDialog
      opened={user !== null}
      title={`${verb} this subscriber?`}
      confirmLabel={verb}
      busy={setActive.isPending}
      error={setActive.isError ? describeError('update user status', setActive.error) : null}
      onConfirm={() => user && confirm(user)}
      onClose={close}
    >
      <Text>
        <strong>{user?.name}</strong>{' '}
        {verb === 'Pause'
          ? 'will be signed out and get no texts until you activate them. Billing continues.'
          : 'can sign in again and gets texts as scheduled.'}
      </Text>
    </ConfirmDialog>
  );
};
