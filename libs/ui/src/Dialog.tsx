import { Modal, type ModalRootProps } from '@mantine/core';
import { returnFocusToPage } from './keep-focus.ts';

/**
 * A titled dialog that stays open while its request runs. React events bubble from it to the component that renders it,
 * so submitting a form in it must not submit an enclosing form.
 */
export const Dialog = ({
  title,
  busy = false,
  onClose,
  onExitTransitionEnd,
  children,
  ...root
}: ModalRootProps & { title: string; busy?: boolean }) => (
  // Mantine's own header would add a second banner landmark to the page.
  <Modal.Root
    onClose={() => !busy && onClose()}
    onExitTransitionEnd={() => {
      returnFocusToPage();
      onExitTransitionEnd?.();
    }}
    centered
    {...root}
  >
    <Modal.Overlay />
    <Modal.Content>
      <Modal.Body p="lg" onSubmit={(event) => event.stopPropagation()}>
        <Modal.Title component="h2" fw={800} fz="lg" mb="md">
          {title}
        </Modal.Title>
        {children}
      </Modal.Body>
    </Modal.Content>
  </Modal.Root>
);
