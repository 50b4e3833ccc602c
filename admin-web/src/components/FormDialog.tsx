import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';

/** A form in a dialog, which stays open while the request runs. */
export const FormDialog = ({
  opened,
  title,
  busy = false,
  size = 'lg',
  onClose,
  children,
}: {
  opened: boolean;
  title: string;
  busy?: boolean;
  size?: string;
  onClose: () => void;
  children: ReactNode;
}) => (
  // Mantine's own header would add a second banner landmark to the page.
  <Modal.Root opened={opened} onClose={() => !busy && onClose()} size={size} centered>
    <Modal.Overlay />
    <Modal.Content>
      <Modal.Body p="lg">
        <Modal.Title component="h2" fw={800} fz="lg" mb="md">
          {title}
        </Modal.Title>
        {children}
      </Modal.Body>
    </Modal.Content>
  </Modal.Root>
);
