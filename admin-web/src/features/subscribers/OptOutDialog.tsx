import type { AdminUser } from '@daylift/contracts/accounts.http';
import { Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { useOptOut } from './subscribers.queries.ts';

type Person = Pick<AdminUser, 'id' | 'name'>;

/** Opts out a subscriber who asked an admin. The note is the proof. */
export const OptOutDialog = ({ user, onClose }: { user: Person | null; onClose: () => void }) => {
  const optOut = useOptOut();
  const [note, setNote] = useState('');
  const isWritten = note.trim().length >= 3;
  const close = () => {
    setNote('');
    onClose();
  };
  return (
    <ActionDialog
      input={user && { id: user.id, note: note.trim() }}
      mutation={optOut}
      title="Opt this subscriber out?"
      confirmLabel="Opt Out"
      tone="danger"
      ready={isWritten}
      action="opt out user"
      done={() => `${user?.name} is opted out.`}
      onClose={close}
    >
      <Stack gap="md">
        <Text>
          <strong>{user?.name}</strong> gets no more texts, and their plan won't renew. Only a START
          reply from their phone reverses it.
        </Text>
        <Textarea
          label="How did they opt out?"
          description="Saved as proof: who asked, how and when. At least 3 characters."
          placeholder="Called support on Nov 24 and asked us to stop"
          autosize
          minRows={2}
          maxLength={500}
          withAsterisk
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </Stack>
    </ActionDialog>
  );
};
