import { Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { NewPasswordField, PasswordField } from '../../components/PasswordField.tsx';
import { PhoneField } from '../../components/PhoneField.tsx';
import type { SignupForm } from './signup-rules.ts';

export const PersonalInfoStep = ({
  form,
  lostPassword,
}: {
  form: UseFormReturnType<SignupForm>;
  /** A reload has emptied the password fields. */
  lostPassword: boolean;
}) => (
  <Stack gap="md">
    <TextInput
      label="Full name"
      name="name"
      autoComplete="name"
      maxLength={100}
      withAsterisk
      {...form.getInputProps('name')}
    />
    <TextInput
      label="Email"
      name="email"
      type="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      withAsterisk
      {...form.getInputProps('email')}
    />
    <PhoneField label="Phone number" name="phone" withAsterisk {...form.getInputProps('phone')} />
    <NewPasswordField
      label="Password"
      name="password"
      withAsterisk
      {...(lostPassword &&
        form.values.password === '' && {
          description: 'Please enter it again. We never keep passwords when a page reloads.',
        })}
      {...form.getInputProps('password')}
    />
    <PasswordField
      label="Confirm password"
      name="confirmPassword"
      autoComplete="new-password"
      maxLength={128}
      withAsterisk
      {...form.getInputProps('confirmPassword')}
    />
  </Stack>
);
