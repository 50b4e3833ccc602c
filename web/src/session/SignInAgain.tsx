import { createClient } from '@daylift/api-client/request';
import { useAction } from '@daylift/api-client/use-action';
import type { LoginRequest, Me } from '@daylift/contracts/accounts.http';
import { Dialog } from '@daylift/ui/Dialog';
import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ActionFailure } from '../components/ActionFailure.tsx';
import { AppLink } from '../components/AppLink.tsx';
import { FormActions } from '../components/FormActions.tsx';
import { paths } from '../paths.ts';
import { signOut } from './current-user.ts';
import { storeToken } from './token.ts';

/** A client without a token, so a wrong password doesn't end another session. */
const { call } = createClient({ readToken: () => null });

/** Escape would close the dialog underneath. */
const keepsEscape = { 'data-mantine-stop-propagation': 'true' };

const Fields = ({ user }: { user: Me }) => {
  const form = useForm<LoginRequest>({ initialValues: { login: user.email, password: '' } });
  const signIn = useAction({
    mutationFn: ({ login, password }: LoginRequest) =>
      call('POST /users/login', { body: { login: login.trim(), password } }),
    onSuccess: (response) => storeToken(response.access_token),
  });
  return (
    <form onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
      <Stack gap="md">
        <TextInput
          label="Email or phone"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          {...keepsEscape}
          {...form.getInputProps('login')}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          {...keepsEscape}
          {...form.getInputProps('password')}
        />
        <ActionFailure action="log in" error={signIn.error} />
        <Text fz="sm">
          Forgot it?{' '}
          <AppLink href={paths.login} target="_blank" rel="noopener">
            Set a new password in a new tab
          </AppLink>
          . This page will continue automatically.
        </Text>
        <FormActions>
          <Button variant="default" onClick={signOut} {...keepsEscape}>
            Sign Out
          </Button>
          <Button type="submit" color="dawn" loading={signIn.isPending} {...keepsEscape}>
            Sign In
          </Button>
        </FormActions>
      </Stack>
    </form>
  );
};

/** Shown over a page whose session expired while a form was open. The form stays. */
export const SignInAgain = ({ user, opened }: { user: Me; opened: boolean }) => (
  <Dialog
    title="Please sign in again"
    opened={opened}
    onClose={() => undefined}
    closeOnEscape={false}
    closeOnClickOutside={false}
    zIndex={400}
  >
    <Text mb="md">Your session has ended. Sign in to continue where you left off.</Text>
    <Fields user={user} />
  </Dialog>
);
