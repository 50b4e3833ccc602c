import { Stack, Title, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

/** A tab's content. The tab itself shows the title, so the heading is for screen readers. */
export const TabPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack gap="lg">
    <VisuallyHidden>
      <Title order={1}>{title}</Title>
    </VisuallyHidden>
    {children}
  </Stack>
);
