import { describeError } from '@daylift/api-client/operators-errors';
import { useAction } from '@daylift/api-client/use-action';
import type { ChangeAdminPasswordRequest } from '@daylift/contracts/admins.http';
import { Alert, Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { call } from '../../api.ts';
import { focusFirst } from '../../components/focus-first.ts';
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
    <form
      onSubmit={form.onSubmit(
        ({ current, next }) => change.mutate({ old_password: current, new_password: next }),
        focusFirst(form),
      )}
      noValidate
    >
      <Stack gap="md" maw="26rem">
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
        {change.isError ? (
          <Alert role="alert" color="red" title={describeError('change password', change.error)} />
        ) : null}
        <Group>
          <Button type="submit" loading={change.isPending}>
            Change Password
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
