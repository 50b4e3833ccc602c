import { createClient } from '@daylift/api-client/request';
import { useAction } from '@daylift/api-client/use-action';
import { Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { FormMessage } from '../../components/FormMessage.tsx';
import {
  HiddenUsername,
  NewPasswordField,
  PasswordField,
} from '../../components/PasswordField.tsx';
import { passwordTooShort } from '../../components/password-rules.ts';
import { focusWhenShown } from '../../components/use-focus-back.ts';

/** A sign-in with a temporary password. */
export interface GivenAccess {
  login: string;
  /** Only allows choosing a password; not stored. */
  token: string;
  password: string;
}
interface Choice {
  next: string;
  confirm: string;
}

const problemOf = ({ next, confirm }: Choice): { field: keyof Choice; message: string } | null => {
  const missing = next === '' ? 'next' : confirm === '' ? 'confirm' : null;
  if (missing) return { field: missing, message: 'Please fill in all required fields' };
  if (next !== confirm) return { field: 'confirm', message: 'Passwords do not match' };
  const tooShort = passwordTooShort(next);
  return tooShort === null ? null : { field: 'next', message: tooShort };
};

/** Replaces a temporary password before the dashboard opens. */
export const ChoosePasswordForm = ({
  given,
  onSignedIn,
  onBack,
}: {
  given: GivenAccess;
  onSignedIn: (token: string) => void;
  onBack: (login: string) => void;
}) => {
  const form = useForm<Choice>({
    initialValues: { next: '', confirm: '' },
    onValuesChange: () => setProblem(null),
  });
  const [problem, setProblem] = useState<string | null>(null);
  const choose = useAction({
    mutationFn: ({ next }: Choice) =>
      createClient({ readToken: () => given.token }).call('POST /users/me/change-password', {
        body: { old_password: given.password, new_password: next },
      }),
    onSuccess: (response) => onSignedIn(response.access_token),
  });
  const submit = (values: Choice) => {
    const found = problemOf(values);
    setProblem(found?.message ?? null);
    form.setErrors(found ? { [found.field]: true } : {});
    if (found === null) return choose.mutate(values);
    choose.reset();
    form.getInputNode(found.field)?.focus();
  };
  return (
    <form method="post" onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap="lg">
        <div>
          <h1>Choose your own password</h1>
          <Text c="dimmed" mt={6}>
            The one you were given was for this first sign-in only. The next step is your dashboard.
          </Text>
        </div>
        <HiddenUsername value={given.login} />
        <NewPasswordField
          ref={focusWhenShown}
          label="New password"
          required
          withAsterisk={false}
          {...form.getInputProps('next')}
        />
        <PasswordField
          label="Confirm new password"
          autoComplete="new-password"
          maxLength={128}
          required
          withAsterisk={false}
          {...form.getInputProps('confirm')}
        />
        {problem ? <FormMessage>{problem}</FormMessage> : null}
        {!problem && choose.isError ? (
          <ActionFailure action="change password" error={choose.error} />
        ) : null}
        <Button type="submit" color="dawn" fullWidth loading={choose.isPending}>
          Save and Continue
        </Button>
        <Button
          variant="subtle"
          fullWidth
          disabled={choose.isPending}
          onClick={() => onBack(given.login)}
        >
          Back to Sign In
        </Button>
      </Stack>
    </form>
  );
};
