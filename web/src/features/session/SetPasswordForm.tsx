import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { accounts } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { FormMessage } from '../../components/FormMessage.tsx';
import { passwordTooShort } from '../../components/password-rules.ts';

interface NewPassword {
  login: string;
  password: string;
  code: string;
}

const checkNewPassword = (step: 'ask' | 'confirm', { password, code }: NewPassword) => {
  if (passwordTooShort(password)) return passwordTooShort(password);
  if (step === 'confirm' && !/^\d{6}$/.test(code.trim())) return 'Enter the 6 digits of the text';
  return null;
};

/** First asks for a code by text, then sets the password with it and signs in. */
const useSetPassword = (onSignedIn: (token: string) => void) => {
  const [step, setStep] = useState<'ask' | 'confirm'>('ask');
  const setPassword = useMutation({
    mutationFn: async ({ login, password, code }: NewPassword) => {
      const emailOrPhone = login.trim();
      if (step === 'ask') {
        await accounts.setPassword({ email_or_phone: emailOrPhone, password });
        return null;
      }
      await accounts.setPassword({ email_or_phone: emailOrPhone, password, code: code.trim() });
      return accounts.logIn({ login: emailOrPhone, password });
    },
    onSuccess: (answer) => (answer ? onSignedIn(answer.access_token) : setStep('confirm')),
  });
  return { step, setPassword };
};

export const SetPasswordForm = ({
  login,
  onSignedIn,
  onBack,
}: {
  login: string;
  onSignedIn: (token: string) => void;
  onBack: () => void;
}) => {
  const form = useForm<NewPassword>({ initialValues: { login, password: '', code: '' } });
  const [problem, setProblem] = useState<string | null>(null);
  const { step, setPassword } = useSetPassword(onSignedIn);
  const submit = (values: NewPassword) => {
    const found = checkNewPassword(step, values);
    setProblem(found);
    if (found === null) setPassword.mutate(values);
  };
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap="lg">
        <div>
          <h1>Set Your Password</h1>
          <Text c="dimmed" mt={6}>
            That e-mail or phone and password do not match. Set a new password here: we text a
            6-digit code to the number on file to make sure that it is you.
          </Text>
        </div>
        <TextInput
          label="Email or phone"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={step === 'confirm'}
          {...form.getInputProps('login')}
        />
        <PasswordInput
          label="New password"
          description="At least 6 characters"
          name="new-password"
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        {step === 'confirm' ? (
          <>
            <FormMessage kind="info">
              If this account exists, a code is on its way to its phone. It is good for 10 minutes.
            </FormMessage>
            <TextInput
              label="Code from the text"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={6}
              data-autofocus
              {...form.getInputProps('code')}
            />
          </>
        ) : null}
        {problem ? <FormMessage>{problem}</FormMessage> : null}
        {!problem && setPassword.isError ? (
          <ActionFailure action="set password" error={setPassword.error} />
        ) : null}
        <Button type="submit" color="dawn" fullWidth loading={setPassword.isPending}>
          {step === 'ask' ? 'Text Me a Code' : 'Set Password and Sign In'}
        </Button>
        <Button variant="subtle" fullWidth onClick={onBack}>
          Back to Sign In
        </Button>
      </Stack>
    </form>
  );
};
