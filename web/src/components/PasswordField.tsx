import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** Adds the `aria-invalid` that Mantine's PasswordInput lacks. */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput aria-invalid={props.error ? true : undefined} {...props} />
);
