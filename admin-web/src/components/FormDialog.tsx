import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';

/** A form over the page. Stays open while what it asked for is under way. */
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
  // Without the library's own header, whose element would be a second banner of the page.
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
