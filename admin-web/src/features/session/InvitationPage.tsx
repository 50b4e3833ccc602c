import { useAction } from '@daylift/api-client/use-action';
import { PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocation, useNavigate } from 'react-router';
import { call } from '../../api.ts';
import { ActionForm } from '../../components/ActionForm.tsx';
import { confirmProblem, passwordProblem } from '../../components/password-problems.ts';
import { paths } from '../../paths.ts';
import { adminToken } from '../../session/token.ts';
import { SignInCard } from './SignInCard.tsx';

/** Returns null if the admin has two-step sign-in, which the login page asks for. */
const acceptInvitation = async (chosen: { token: string; password: string }) => {
  const { username } = await call('POST /admin/invitation', { body: chosen });
  const body = { username, password: chosen.password };
  return call('POST /admin/login', { body }).catch(() => null);
};

const ChooseForm = ({ token, username }: { token: string; username: string | null }) => {
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
    <ActionForm
      form={form}
      onSubmit={({ password }) => accept.mutate({ token, password })}
      mutation={accept}
      action="accept invitation"
      submit="Set Password and Sign In"
      submitProps={{ color: 'dawn', fullWidth: true }}
    >
      {username ? (
        // Password managers store the name with the password.
        <TextInput label="Username" value={username} readOnly autoComplete="username" />
      ) : null}
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
    </ActionForm>
  );
};

/** The target of an invitation link. The token is in the fragment, which browsers don't send. */
export const InvitationPage = () => {
  const { hash, search } = useLocation();
  const token = hash.slice(1);
  const username = new URLSearchParams(search).get('username');
  return (
    <SignInCard title="Your invitation" heading="Choose your password">
      {/^[\w-]{43}$/.test(token) ? (
        <ChooseForm token={token} username={username} />
      ) : (
        <Text>
          This link is incomplete. Open it from the email again, or ask an owner for a new one.
        </Text>
      )}
    </SignInCard>
  );
};
