import type { CreateUserResponse } from '@daylift/contracts/managed-users.http';
import { CopyField } from '@daylift/ui/CopyField';
import { Dialog } from '@daylift/ui/Dialog';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { syncWords } from './sync-words.ts';

export interface NewSubscriber extends CreateUserResponse {
  name: string;
  consent: boolean;
}

/** Shows a new subscriber's password once. Only its button closes the dialog. */
export const PasswordDialog = ({
  created,
  onClose,
}: {
  created: NewSubscriber | null;
  onClose: () => void;
}) => (
  <Dialog
    title={`${created?.name ?? ''} was added`}
    opened={created !== null}
    onClose={onClose}
    closeOnClickOutside={false}
    closeOnEscape={false}
    returnFocus={false}
  >
    {created ? (
      <Stack gap="md">
        <CopyField label="One-time password" value={created.default_password} />
        <Alert color="yellow" title="This password is shown only once">
          Share it with the subscriber. It works for 72 hours, and they choose their own at first
          sign-in.
        </Alert>
        <Text fz="sm" c="dimmed">
          {created.consent
            ? 'Their first text arrives tomorrow at their delivery time.'
            : "We'll text them to ask for a YES and send nothing else until they reply."}{' '}
          {syncWords[created.telnyx_sync]}
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    ) : null}
  </Dialog>
);
