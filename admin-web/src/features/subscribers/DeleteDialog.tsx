import type { AdminUser } from '@daylift/contracts/accounts.http';
import { Text } from '@mantine/core';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { useDeleteUser } from './subscribers.queries.ts';
import { syncWords } from './sync-words.ts';

type Person = Pick<AdminUser, 'id' | 'name' | 'email' | 'phone'>;

export const DeleteDialog = ({
  user,
  leave,
  onClose,
}: {
  user: Person | null;
  leave: ((id: string) => Promise<void>) | undefined;
  onClose: () => void;
}) => {
  const remove = useDeleteUser(leave);
  return (
    <ActionDialog
      input={user?.id ?? null}
      mutation={remove}
      title="Delete this subscriber permanently?"
      confirmLabel="Delete Permanently"
      tone="danger"
      action="delete user"
      done={(removed) => `${user?.name} was deleted. ${syncWords[removed.telnyx_sync]}`.trim()}
      onClose={onClose}
    >
      {user && (
        <Text>
          <strong>{user.name}</strong> ({user.email}, {user.phone}) will be permanently removed: the
          account, personal data and all upcoming texts. The subscription ends immediately. This
          can't be undone.
        </Text>
      )}
    </ActionDialog>
  );
};
