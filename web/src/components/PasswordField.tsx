import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** The library marks a password that has to be mended for the eye alone. */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput aria-invalid={props.error ? true : undefined} {...props} />
);
