import { Text, type TextProps } from '@mantine/core';

export const ErrorText = (props: TextProps & { children: string | null }) => (
  <Text role="alert" c="var(--dl-danger)" fw={600} {...props} />
);
