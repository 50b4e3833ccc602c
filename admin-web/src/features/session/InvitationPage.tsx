import { describeError } from '@daylift/api-client/operators-errors';
import { useAction } from '@daylift/api-client/use-action';
import { Logo } from '@daylift/ui/Logo';
import { Alert, Button, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocation, useNavigate } from 'react-router';
import { call } from '../../api.ts';
import { useCatalogue } from '../../catalogue.ts';
import { focusFirst } from '../../components/focus-first.ts';
import { confirmProblem, passwordProblem } from '../../components/password-problems.ts';
import { paths } from '../../paths.ts';
import { adminToken } from '../../session/token.ts';
import classes from './LoginPage.module.css';

/** Returns null if the admin has two-step sign-in, which the login page asks for. */
const acceptInvitation = async (chosen: { token: string; password: string }) => {
  const { username } = await call('POST /admin/invitation', { body: chosen });
  const body = { username, password: chosen.password };
  return call('POST /admin/login', { body }).catch(() => null);
};

const ChooseForm = ({ token }: { token: string }) => {
  const navigate = useNavigate();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '', confirm: '' },
    validate: {
      password: passwordProblem,
      confirm: (value, { password }) => confirmProblem(value, password),
    },
  });
  const accept = useAction({
    mutationFn: acceptInvitation,
    onSuccess: (session) => {
      if (session === null) return navigate(paths.login, { replace: true, state: 'password set' });
      adminToken.store(session.token);
      return navigate(paths.dashboard, { replace: true });
    },
  });
  return (
    <form
      onSubmit={form.onSubmit(
        ({ password }) => accept.mutate({ token, password }),
        focusFirst(form),
      )}
      noValidate
    >
      <Stack gap="md">
        <PasswordInput
          label="Password"
          description="At least 12 characters"
          autoComplete="new-password"
          maxLength={128}
          {...form.getInputProps('password')}
        />
        <PasswordInput
          label="Confirm password"
          autoComplete="new-password"
          maxLength={128}
          {...form.getInputProps('confirm')}
        />
        {accept.isError ? (
          <Alert
            role="alert"
            color="red"
            title={describeError('accept invitation', accept.error)}
          />
        ) : null}
        <Button type="submit" color="dawn" fullWidth loading={accept.isPending}>
          Set Password and Sign In
        </Button>
      </Stack>
    </form>
  );
};

/** The target of an invitation link. The token is in the fragment, which browsers don't send. */
export const InvitationPage = () => {
  const name = useCatalogue()?.product_name;
  const token = useLocation().hash.slice(1);
  return (
    <main className={classes.page}>
      <title>{`Your invitation · ${name ?? ''}`}</title>
      <div className={classes.card}>
        <Stack gap="md">
          <Logo name={name} size={36} />
          <Title order={1} fz="1.5rem">
            Choose your password
          </Title>
          {/^[\w-]{43}$/.test(token) ? (
            <ChooseForm token={token} />
          ) : (
            <Text>
              This link is incomplete. Open it from the email again, or ask an owner for a new one.
            </Text>
          )}
        </Stack>
      </div>
    </main>
  );
};
