import { ApiError } from '@daylift/api-client/request';
import { useAction } from '@daylift/api-client/use-action';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState, useSyncExternalStore } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { call } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { AppLink } from '../../components/AppLink.tsx';
import { FormCard } from '../../components/FormCard.tsx';
import { FormMessage } from '../../components/FormMessage.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { focusWhenShown } from '../../components/use-focus-back.ts';
import { useReadLogin } from '../../components/use-phone-countries.ts';
import { pageAfterLogin, paths } from '../../paths.ts';
import { startSession } from '../../session/current-user.ts';
import { ChoosePasswordForm, type GivenAccess } from './ChoosePasswordForm.tsx';
import { SetPasswordForm } from './SetPasswordForm.tsx';

interface Credentials {
  login: string;
  password: string;
}

const SignInForm = ({
  login,
  notice,
  cameBack,
  onRefused,
  onForgotPassword,
  onTemporaryPassword,
  onSignedIn,
}: {
  login: string;
  notice: string | null;
  /** Coming back from the set-password form, which had the focus. */
  cameBack: boolean;
  onRefused: (login: string) => void;
  onForgotPassword: (login: string) => void;
  /** The password is temporary and has to be replaced first. */
  onTemporaryPassword: (given: GivenAccess) => void;
  onSignedIn: (token: string) => void;
}) => {
  const form = useForm<Credentials>({ initialValues: { login, password: '' } });
  const readLogin = useReadLogin();
  const signIn = useAction({
    mutationFn: ({ login: typed, password }: Credentials) =>
      call('POST /users/login', { body: { login: readLogin(typed), password } }),
    onSuccess: ({ access_token: token, must_change_password }, { login: typed, password }) =>
      must_change_password
        ? onTemporaryPassword({ login: readLogin(typed), token, password })
        : onSignedIn(token),
    onError: (error, { login: typed }) => {
      if (error instanceof ApiError && error.status === 401) onRefused(readLogin(typed));
    },
  });
  return (
    <form method="post" onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
      <Stack gap="lg">
        <div>
          <h1>Welcome back</h1>
          <Text c="dimmed" mt={6}>
            Sign in with the email or phone number you signed up with.
          </Text>
        </div>
        {notice && signIn.isIdle ? <FormMessage kind="info">{notice}</FormMessage> : null}
        <TextInput
          label="Email or phone"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          {...form.getInputProps('login')}
        />
        <PasswordField
          ref={cameBack ? focusWhenShown : undefined}
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          {...form.getInputProps('password')}
        />
        <ActionFailure action="log in" error={signIn.error} />
        <Button type="submit" color="dawn" fullWidth loading={signIn.isPending}>
          Sign In
        </Button>
        <Button
          variant="subtle"
          fullWidth
          disabled={signIn.isPending}
          onClick={() => onForgotPassword(readLogin(form.values.login))}
        >
          Forgot your password?
        </Button>
        <Text ta="center">
          New here? <AppLink href={paths.signup}>Start your free trial</AppLink>
        </Text>
      </Stack>
    </form>
  );
};

const sessionEnded = 'Your session has ended. Please sign in again.';
const passwordSet = 'Your new password is set. Please sign in with it.';

const neverChanges = () => () => {};
/** Returns null while hydrating: a reload keeps the state, but the prerendered page doesn't have it. */
const useNavigationState = (): unknown => {
  const { state } = useLocation();
  return useSyncExternalStore(
    neverChanges,
    () => state,
    () => null,
  );
};

/** Login form. A wrong password switches to the set-password form. */
export const LoginPage = () => {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const cameAs = useNavigationState();
  const [login, setLogin] = useState('');
  const [shownInstead, setShownInstead] = useState<{ notice: string | null } | null>(null);
  const [mode, setMode] = useState<'sign in' | 'refused' | 'forgotten'>('sign in');
  const [given, setGiven] = useState<GivenAccess | null>(null);
  const [cameBack, setCameBack] = useState(false);
  const arrival = cameAs === 'session ended' ? sessionEnded : null;
  const notice = shownInstead ? shownInstead.notice : arrival;
  const signedIn = (token: string) => {
    startSession(token);
    navigate(pageAfterLogin(search), { replace: true });
  };
  const show = (next: typeof mode, typed: string, word: string | null = null) => {
    setLogin(typed);
    setShownInstead({ notice: word });
    setMode(next);
    setCameBack(next === 'sign in');
  };
  if (given)
    return (
      <FormCard>
        <PageTitle>Choose your password</PageTitle>
        <ChoosePasswordForm
          given={given}
          onSignedIn={signedIn}
          onBack={(typed) => {
            setGiven(null);
            show('sign in', typed);
          }}
        />
      </FormCard>
    );
  return (
    <FormCard>
      <PageTitle>{mode === 'sign in' ? 'Sign in' : 'Set your password'}</PageTitle>
      {mode === 'sign in' ? (
        <SignInForm
          login={login}
          notice={notice}
          cameBack={cameBack}
          onTemporaryPassword={setGiven}
          onSignedIn={signedIn}
          onRefused={(typed) => show('refused', typed)}
          onForgotPassword={(typed) => show('forgotten', typed)}
        />
      ) : (
        <SetPasswordForm
          login={login}
          refused={mode === 'refused'}
          onSignedIn={signedIn}
          onSet={(typed) => show('sign in', typed, passwordSet)}
          onBack={(typed) => show('sign in', typed)}
        />
      )}
    </FormCard>
  );
};
