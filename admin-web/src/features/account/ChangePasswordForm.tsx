import { useAction } from '@daylift/api-client/use-action';
import type { ChangeAdminPasswordRequest } from '@daylift/contracts/admins.http';
import { PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { call } from '../../api.ts';
import { ActionForm } from '../../components/ActionForm.tsx';
import { notifyDone } from '../../components/notify.ts';
import { confirmProblem, passwordProblem } from '../../components/password-problems.ts';
import { adminToken } from '../../session/token.ts';

/** The change ends all other sessions. This one continues with the token in the response. */
export const ChangePasswordForm = () => {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { current: '', next: '', confirm: '' },
    validate: {
      current: (value) => (value === '' ? 'Enter your current password' : null),
      next: passwordProblem,
      confirm: (value, { next }) => confirmProblem(value, next),
    },
  });
  const change = useAction({
    mutationFn: (body: ChangeAdminPasswordRequest) => call('POST /admin/me/password', { body }),
    onSuccess: ({ token }) => {
      adminToken.store(token);
      form.reset();
      notifyDone("Password changed. You're signed out on all other devices.");
    },
  });
  return (
    <ActionForm
      form={form}
      onSubmit={({ current, next }) => change.mutate({ old_password: current, new_password: next })}
      mutation={change}
      action="change password"
      submit="Change Password"
      width="26rem"
      names={{ old_password: 'current', new_password: 'next' }}
    >
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        maxLength={128}
        {...form.getInputProps('current')}
      />
      <PasswordInput
        label="New password"
        description="At least 12 characters"
        autoComplete="new-password"
        maxLength={128}
        {...form.getInputProps('next')}
      />
      <PasswordInput
        label="Confirm new password"
        autoComplete="new-password"
        maxLength={128}
        {...form.getInputProps('confirm')}
      />
    </ActionForm>
  );
};
