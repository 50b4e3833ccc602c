import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadErrorWords } from './QueryView.tsx';
import { cssVariablesResolver, theme } from './theme.ts';

export const UiProvider = ({
  describeLoadError,
  children,
}: {
  describeLoadError: (error: unknown) => string;
  children: ReactNode;
}) => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    defaultColorScheme="auto"
    deduplicateInlineStyles
  >
    <LoadErrorWords value={describeLoadError}>{children}</LoadErrorWords>
  </MantineProvider>
);
