import { Modal, type ModalRootProps } from '@mantine/core';

/** A titled dialog that stays open while its request runs. */
export const Dialog = ({
  title,
  busy = false,
  onClose,
  children,
  ...root
}: ModalRootProps & { title: string; busy?: boolean }) => (
  // Mantine's own header would add a second banner landmark to the page.
  <Modal.Root onClose={() => !busy && onClose()} centered {...root}>
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
