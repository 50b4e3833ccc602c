import { CloseButton, Drawer, type DrawerRootProps, Group } from '@mantine/core';

/** A titled panel beside the page. Submitting a form in it doesn't submit an enclosing form; see `Dialog`. */
export const SideSheet = ({
  title,
  children,
  ...root
}: DrawerRootProps & { title: string; onClose: () => void }) => (
  // Mantine's own header would add a second banner landmark to the page.
  <Drawer.Root position="right" size="lg" {...root}>
    <Drawer.Overlay />
    <Drawer.Content>
      <Drawer.Body p="lg" onSubmit={(event) => event.stopPropagation()}>
        <Group justify="space-between" mb="md">
          <Drawer.Title component="h2" fw={800} fz="lg">
            {title}
          </Drawer.Title>
          <CloseButton size={44} aria-label="Close" onClick={root.onClose} />
        </Group>
        {children}
      </Drawer.Body>
    </Drawer.Content>
  </Drawer.Root>
);
