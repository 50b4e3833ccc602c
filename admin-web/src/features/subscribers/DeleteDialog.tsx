import { describeError } from '@daylift/api-client/operators-errors';
import type { AdminUser } from '@daylift/contracts/accounts.http';
import { ConfirmDialog } from '@daylift/ui/ConfirmDialog';
import { Text } from '@mantine/core';
import { notifyDone } from '../../components/notify.ts';
import { useDeleteUser } from './subscribers.queries.ts';
import { syncWords } from './sync-words.ts';

type Person = Pick<AdminUser, 'id' | 'name'>;

export const DeleteDialog = ({ user, onClose }: { user: Person | null; onClose: () => void }) => {
  const remove = useDeleteUser();
  const close = () => {
    remove.reset();
    onClose();
  };
  const confirm = ({ id, name }: Person) =>
    remove.mutate(id, {
      onSuccess: (done) => {
        notifyDone(`${name} was deleted. ${syncWords[done.telnyx_sync]}`);
        close();
      },
    });
  return (
    <ConfirmDialog
      opened={user !== null}
      title="Delete this subscriber permanently?"
      confirmLabel="Delete Permanently"
      tone="danger"
      busy={remove.isPending}
      error={remove.isError ? describeError('delete user', remove.error) : null}
      onConfirm={() => user && confirm(user)}
      onClose={close}
    >
      <Text>
        <strong>{user?.name}</strong> will be permanently removed: the account, personal data and
        all upcoming texts. The subscription ends immediately. This can't be undone.
      </Text>
    </ConfirmDialog>
  );
};
