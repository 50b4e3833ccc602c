import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  /** What will happen, in words that name numbers and people. */
  children: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** `danger` for what cannot be undone. */
  tone?: 'calm' | 'danger';
  busy?: boolean;
  /** False while something is missing that the dialog asks for. */
  ready?: boolean;
  /** Why the last try failed. */
  error?: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks once before something that reaches people or removes things. Stays open, locked, while the action runs. */
export const ConfirmDialog = ({
  opened,
  title,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  tone = 'calm',
  busy = false,
  ready = true,
  error,
  onConfirm,
  onClose,
}: ConfirmDialogProps) => (
  // Without the library's own header, whose element would be a second banner of the page.
  <Modal.Root opened={opened} onClose={() => !busy && onClose()} centered>
    <Modal.Overlay />
    <Modal.Content>
      <Modal.Body p="lg">
        <Modal.Title component="h2" fw={800} fz="lg" mb="md">
          {title}
        </Modal.Title>
        <Stack gap="lg">
          <div>{children}</div>
          {error ? (
            <Text role="alert" c="var(--dl-danger)" fw={600}>
              {error}
            </Text>
          ) : null}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={busy} data-autofocus>
              {cancelLabel}
            </Button>
            <Button
              color={tone === 'danger' ? 'red' : 'sky'}
              onClick={onConfirm}
              loading={busy}
              disabled={!ready}
            >
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </Modal.Body>
    </Modal.Content>
  </Modal.Root>
);
