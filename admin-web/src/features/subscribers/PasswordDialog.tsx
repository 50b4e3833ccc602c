import type { CreateUserResponse } from '@daylift/contracts/people.http';
import { CopyField } from '@daylift/ui/CopyField';
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { syncWords } from './sync-words.ts';

export interface NewSubscriber extends CreateUserResponse {
  name: string;
  consent: boolean;
}

/** Shows the password of somebody new, this once. Only its button closes it. */
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
          {created?.name} is a subscriber now
        </Modal.Title>
        {created ? (
          <Stack gap="md">
            <CopyField label="One-time password" value={created.default_password} />
            <Alert color="yellow" title="This password is shown only now">
              Pass it on to them yourself. It is good for 72 hours, and at the first sign-in they
              choose one of their own.
            </Alert>
            <Text fz="sm" c="dimmed">
              {created.consent
                ? 'Their first text comes tomorrow at their delivery time.'
                : 'We text their number to ask for a YES and send nothing else until it replies.'}{' '}
              {syncWords[created.telnyx_sync]}
            </Text>
            <Group justify="flex-end">
              <Button onClick={onClose}>I Have Passed It On</Button>
            </Group>
          </Stack>
        ) : null}
      </Modal.Body>
    </Modal.Content>
  </Modal.Root>
);
