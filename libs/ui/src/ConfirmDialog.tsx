import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './Dialog.tsx';
import { ErrorText } from './ErrorText.tsx';

export interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  tone?: 'calm' | 'danger';
  busy?: boolean;
  /** False while required input is missing. */
  ready?: boolean;
  error?: string | null;
  /** False if the focus goes elsewhere on closing. */
  returnFocus?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Confirms an action that reaches people or deletes something. Stays open while it runs. */
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
  returnFocus = true,
  onConfirm,
  onClose,
}: ConfirmDialogProps) => (
  <Dialog opened={opened} title={title} busy={busy} returnFocus={returnFocus} onClose={onClose}>
    <Stack gap="lg">
      <div>{children}</div>
      {error ? <ErrorText>{error}</ErrorText> : null}
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
  </Dialog>
);
