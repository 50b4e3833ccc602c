import { MantineProvider } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { keepFocus } from './keep-focus.ts';
import { LoadErrorWords } from './QueryView.tsx';
import { cssVariablesResolver, theme } from './theme.ts';

export const UiProvider = ({
  describeLoadError,
  children,
}: {
  describeLoadError: (error: unknown) => string;
  children: ReactNode;
}) => {
  useEffect(keepFocus, []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      deduplicateInlineStyles
    >
      <LoadErrorWords value={describeLoadError}>{children}</LoadErrorWords>
    </MantineProvider>
  );
};
