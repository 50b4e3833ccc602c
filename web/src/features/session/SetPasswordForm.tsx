import { useAction } from '@daylift/api-client/use-action';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { call } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { FormMessage } from '../../components/FormMessage.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { passwordTooShort } from '../../components/password-rules.ts';
import { focusWhenShown } from '../../components/use-focus-back.ts';
import { useReadLogin } from '../../components/use-phone-countries.ts';

interface NewPassword {
  login: string;
  password: string;
  code: string;
}
type Step = 'request' | 'confirm';

/** Codes may be pasted with spaces or a hyphen. */
const digitsOf = (code: string): string => code.replaceAll(/[\s-]/g, '');

const findProblem = (
  step: Step,
  { login, password, code }: NewPassword,
): { field: keyof NewPassword; message: string } | null => {
  if (login.trim() === '') return { field: 'login', message: 'Please fill in all required fields' };
  const tooShort = passwordTooShort(password);
  if (tooShort) return { field: 'password', message: tooShort };
  if (step === 'confirm' && !/^\d{6}$/.test(digitsOf(code)))
    return { field: 'code', message: 'Enter the 6-digit code' };
  return null;
};

/** Requests a code, sets the password with it, and signs in. */
const useSetPassword = (form: UseFormReturnType<NewPassword>, props: Ways) => {
  const readLogin = useReadLogin();
  const [step, setStep] = useState<Step>('request');
  const [codeRequests, setCodeRequests] = useState(0);
  const requestCode = useAction({
    mutationFn: ({ login, password }: NewPassword) =>
      call('POST /users/set-password', { body: { email_or_phone: readLogin(login), password } }),
    onSuccess: () => {
      setStep('confirm');
      setCodeRequests((times) => times + 1);
    },
  });
  const confirm = useAction({
    mutationFn: async ({ login, password, code }: NewPassword) => {
      const emailOrPhone = readLogin(login);
      await call('POST /users/set-password', {
        body: { email_or_phone: emailOrPhone, password, code: digitsOf(code) },
      });
      // The password is set; only the sign-in can fail now.
      return call('POST /users/login', { body: { login: emailOrPhone, password } }).catch(
        () => null,
      );
    },
    onSuccess: (response, { login }) =>
      response ? props.onSignedIn(response.access_token) : props.onSet(login.trim()),
    onError: () => form.getInputNode('code')?.focus(),
  });
  return { step, codeRequests, requestCode, confirm };
};

interface Ways {
  onSignedIn: (token: string) => void;
  /** The password was set, but the sign-in failed. */
  onSet: (login: string) => void;
  onBack: (login: string) => void;
}

export const SetPasswordForm = ({
  login,
  refused,
  ...ways
}: Ways & {
  login: string;
  /** Whether a wrong password led here, rather than "Forgot your password?". */
  refused: boolean;
}) => {
  const form = useForm<NewPassword>({
    initialValues: { login, password: '', code: '' },
    onValuesChange: () => setProblem(null),
  });
  const [problem, setProblem] = useState<string | null>(null);
  const { step, codeRequests, requestCode, confirm } = useSetPassword(form, ways);
  const submit = (values: NewPassword) => {
    const found = findProblem(step, values);
    setProblem(found?.message ?? null);
    form.setErrors(found ? { [found.field]: true } : {});
    if (found) form.getInputNode(found.field)?.focus();
    else if (step === 'request') requestCode.mutate(values);
    else confirm.mutate(values);
  };
  const requestCodeAgain = () => {
    confirm.reset();
    form.setFieldValue('code', '');
    requestCode.mutate(form.values);
    form.getInputNode('code')?.focus();
  };
  const error = confirm.error ?? requestCode.error;
  return (
    <form method="post" onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap="lg">
        <div>
          <h1>Set Your Password</h1>
          <Text c="dimmed" mt={6}>
            {refused ? "That email or phone and password don't match. " : null}Choose a new
            password. We'll send a 6-digit code to your phone or email to make sure it's you.
          </Text>
        </div>
        <TextInput
          ref={login === '' ? focusWhenShown : undefined}
          label="Email or phone"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={step === 'confirm'}
          {...form.getInputProps('login')}
        />
        <PasswordField
          ref={login === '' ? undefined : focusWhenShown}
          label="New password"
          description="At least 6 characters"
          name="new-password"
          autoComplete="new-password"
          maxLength={128}
          {...form.getInputProps('password')}
        />
        {step === 'confirm' ? <CodeField form={form} isRepeated={codeRequests > 1} /> : null}
        {problem ? <FormMessage>{problem}</FormMessage> : null}
        {!problem && error ? <ActionFailure action="set password" error={error} /> : null}
        <Button
          type="submit"
          color="dawn"
          fullWidth
          loading={confirm.isPending || (step === 'request' && requestCode.isPending)}
        >
          {step === 'request' ? 'Send Me a Code' : 'Set Password and Sign In'}
        </Button>
        {step === 'confirm' ? (
          <Button
            variant="default"
            fullWidth
            loading={requestCode.isPending}
            onClick={requestCodeAgain}
          >
            Send a New Code
          </Button>
        ) : null}
        <Button variant="subtle" fullWidth onClick={() => ways.onBack(form.values.login)}>
          Back to Sign In
        </Button>
      </Stack>
    </form>
  );
};

const CodeField = ({
  form,
  isRepeated,
}: {
  form: UseFormReturnType<NewPassword>;
  isRepeated: boolean;
}) => (
  <>
    <FormMessage kind="info">
      {isRepeated
        ? 'We send at most one code per minute. Use the latest one you received.'
        : 'If you have an account with us, a code is on its way to your phone or email. It works for 10 minutes.'}
    </FormMessage>
    <TextInput
      ref={focusWhenShown}
      label="6-digit code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={12}
      {...form.getInputProps('code')}
    />
  </>
);
