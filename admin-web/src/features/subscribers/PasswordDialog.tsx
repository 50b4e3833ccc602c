import type { CreateUserResponse } from '@daylift/contracts/managed-users.http';
import { CopyField } from '@daylift/ui/CopyField';
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
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
  <Modal.Root
    opened={created !== null}
    onClose={onClose}
    closeOnClickOutside={false}
    closeOnEscape={false}
    returnFocus={false}
    centered
  >
    <Modal.Overlay />
    <Modal.Content>
      <Modal.Body p="lg">
        <Modal.Title component="h2" fw={800} fz="lg" mb="md">
          {created?.name} was added
        </Modal.Title>
        {created ? (
          <Stack gap="md">
            <CopyField label="One-time password" value={created.default_password} />
            <Alert color="yellow" title="This password is shown only once">
              Share it with the subscriber. It works for 72 hours, and they choose their own at
              first sign-in.
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
      </Modal.Body>
    </Modal.Content>
  </Modal.Root>
);
