import { Button, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormActions } from '../../components/FormActions.tsx';

/** Asks before a plan changes. Stays open, locked, while the change is made. */
export const PlanDialog = ({
  opened,
  title,
  children,
  confirmLabel,
  keepLabel,
  tone,
  busy,
  ready = true,
  onConfirm,
  onClose,
  onGone,
}: {
  opened: boolean;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  keepLabel: string;
  tone: 'dawn' | 'red';
  busy: boolean;
  /** Whether all is known that one decides by. */
  ready?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  /** It is no longer drawn, and has given the focus back if there was somebody to take it. */
  onGone: () => void;
}) => (
  // Without the library's own header, whose element would be a second banner of the page.
  <Modal.Root
    opened={opened}
    onClose={() => !busy && onClose()}
    onExitTransitionEnd={onGone}
    centered
  >
    <Modal.Overlay />
    <Modal.Content>
      <Modal.Body p="lg">
        <Modal.Title component="h2" fw={800} fz="lg" mb="md">
          {title}
        </Modal.Title>
        <Stack gap="lg">
          {children}
          <FormActions>
            <Button variant="default" onClick={onClose} disabled={busy} data-autofocus>
              {keepLabel}
            </Button>
            <Button color={tone} onClick={onConfirm} loading={busy} disabled={!ready && !busy}>
              {confirmLabel}
            </Button>
          </FormActions>
        </Stack>
      </Modal.Body>
    </Modal.Content>
  </Modal.Root>
);
