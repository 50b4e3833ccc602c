import { ApiError } from '@daylift/api-client/request';
import { useAction } from '@daylift/api-client/use-action';
import { focusFirst } from '@daylift/ui/focus-first';
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { call } from '../../api.ts';
import { codeField } from '../../components/code-field.ts';
import { FormError } from '../../components/FormError.tsx';
import { paths } from '../../paths.ts';
import { adminToken } from '../../session/token.ts';
import { SignInCard } from './SignInCard.tsx';

interface Credentials {
  username: string;
  password: string;
  code: string;
}

/** The password is correct, and a two-step code is required. */
const isCodeRequired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'TOTP_REQUIRED';

export const LoginPage = () => {
  const navigate = useNavigate();
  const hasPassword = useLocation().state === 'password set';
  const [asksCode, setAsksCode] = useState(false);
  const form = useForm<Credentials>({
    mode: 'uncontrolled',
    initialValues: { username: '', password: '', code: '' },
    validate: {
      username: (value) => (value.trim() === '' ? 'Enter your username' : null),
      password: (value) => (value === '' ? 'Enter your password' : null),
    },
  });
  const login = useAction({
    mutationFn: ({ code, ...rest }: Credentials) =>
      call('POST /admin/login', { body: code.trim() === '' ? rest : { ...rest, code } }),
    onSuccess: ({ token }) => {
      adminToken.store(token);
      navigate(paths.dashboard, { replace: true });
    },
    onError: (error) => {
      form.setFieldValue('code', '');
      if (isCodeRequired(error)) setAsksCode(true);
    },
  });
  const needsOnlyCode = isCodeRequired(login.error);
  return (
    <SignInCard title="Admin login" heading="Admin login">
      <form onSubmit={form.onSubmit((values) => login.mutate(values), focusFirst(form))} noValidate>
        <Stack gap="md">
          {hasPassword && !login.error ? (
            <Alert role="status" color="green" title="Password set. Sign in to continue." />
          ) : null}
          {needsOnlyCode ? (
            <Alert role="status" color="sky" title="Enter your 6-digit code" />
          ) : null}
          <FormError action="admin log in" error={needsOnlyCode ? null : login.error} />
          <TextInput
            label="Username"
            autoFocus
            autoComplete="username"
            autoCapitalize="none"
            {...form.getInputProps('username')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            {...form.getInputProps('password')}
          />
          {asksCode ? (
            <TextInput
              label="Code"
              description="From your authenticator app, or a recovery code"
              autoFocus
              {...codeField}
              {...form.getInputProps('code')}
            />
          ) : null}
          <Button type="submit" color="dawn" fullWidth loading={login.isPending}>
            Sign In
          </Button>
        </Stack>
      </form>
    </SignInCard>
  );
};
