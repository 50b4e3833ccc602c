import type { AdminUser } from '@daylift/contracts/accounts.http';
import { Text } from '@mantine/core';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { useSetUserActive } from './subscribers.queries.ts';
import { syncWords } from './sync-words.ts';

type Person = Pick<AdminUser, 'id' | 'name' | 'is_active' | 'opted_out'>;

export const StatusDialog = ({ user, onClose }: { user: Person | null; onClose: () => void }) => {
  const setActive = useSetUserActive();
  const verb = user?.is_active === false ? 'Activate' : 'Pause';
  return (
    <ActionDialog
      input={user && { id: user.id, active: !user.is_active }}
      mutation={setActive}
      title={`${verb} this subscriber?`}
      confirmLabel={verb}
      action="update user status"
      done={(set) =>
        `${user?.name} is ${set.is_active ? 'active' : 'paused'}. ${syncWords[set.telnyx_sync]}`.trim()
      }
      onClose={onClose}
    >
      <Text>
        <strong>{user?.name}</strong>{' '}
        {verb === 'Pause'
          ? 'will be signed out and get no texts until you activate them. Billing continues.'
          : user?.opted_out
            ? 'can sign in again. They opted out, so they get no texts until they reply START.'
            : 'can sign in again and gets texts as scheduled.'}
      </Text>
    </ActionDialog>
  );
};
