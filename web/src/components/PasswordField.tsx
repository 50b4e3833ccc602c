import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { passwordStrength } from './password-rules.ts';

/** Adds the `aria-invalid` that Mantine's PasswordInput lacks. */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput aria-invalid={props.error ? true : undefined} {...props} />
);

/** A field for a password that is being chosen, with its strength. */
export const NewPasswordField = (props: PasswordInputProps & { value?: string }) => (
  <PasswordField
    description={
      <span aria-live="polite">
        At least 6 characters
        {props.value ? `. Strength: ${passwordStrength(props.value)}` : ''}
      </span>
    }
    autoComplete="new-password"
    maxLength={128}
    {...props}
  />
);

/** Lets password managers match the account. */
export const HiddenUsername = ({ value }: { value: string }) => (
  <input type="text" name="username" autoComplete="username" value={value} readOnly hidden />
);
