import { useAction } from '@daylift/api-client/use-action';
import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { call } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { announce } from '../../components/announce.ts';
import { FormActions } from '../../components/FormActions.tsx';
import { FormMessage } from '../../components/FormMessage.tsx';
import {
  HiddenUsername,
  NewPasswordField,
  PasswordField,
} from '../../components/PasswordField.tsx';
import { focusWhenShown } from '../../components/use-focus-back.ts';
import { storeToken } from '../../session/token.ts';
import { useShowMe } from '../../session/update-me.ts';
import { type PasswordChange, problemOf } from './password-change.ts';

/**
 * The change ends all other sessions, and unconfirmed changes of address. This session continues with the token in the
 * response.
 */
const useChangePassword = (onDone: () => void) => {
  const showMe = useShowMe();
  return useAction({
    mutationFn: ({ current, next }: PasswordChange) =>
      call('POST /users/me/change-password', {
        body: { old_password: current, new_password: next },
      }),
    onSuccess: async ({ access_token }) => {
      storeToken(access_token);
      await showMe({ pending_email: null, pending_phone: null });
      announce('Password changed successfully!', 'good');
      onDone();
    },
  });
};

export const ChangePasswordForm = ({ email, onClose }: { email: string; onClose: () => void }) => {
  const change = useChangePassword(onClose);
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm<PasswordChange>({ initialValues: { current: '', next: '', confirm: '' } });
  const submit = (values: PasswordChange) => {
    const found = problemOf(values);
    setProblem(found?.message ?? null);
    form.setErrors(Object.fromEntries((found?.fields ?? []).map((field) => [field, true])));
    if (found === null) return change.mutate(values);
    change.reset();
    form.getInputNode(found.fields[0] ?? 'current')?.focus();
  };
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap="md">
        <HiddenUsername value={email} />
        <PasswordField
          ref={focusWhenShown}
          label="Current password"
          autoComplete="current-password"
          maxLength={128}
          required
          {...form.getInputProps('current')}
        />
        <NewPasswordField label="New password" required {...form.getInputProps('next')} />
        <PasswordField
          label="Confirm new password"
          autoComplete="new-password"
          maxLength={128}
          required
          {...form.getInputProps('confirm')}
        />
        {problem ? <FormMessage>{problem}</FormMessage> : null}
        {!problem && change.isError ? (
          <ActionFailure action="change password" error={change.error} />
        ) : null}
        <FormActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="dawn" loading={change.isPending}>
            Update Password
          </Button>
        </FormActions>
      </Stack>
    </form>
  );
};
