import { describeError } from '@daylift/api-client/operators-errors';
import { useAction } from '@daylift/api-client/use-action';
import type { TotpDisableRequest } from '@daylift/contracts/admins.http';
import { Alert, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api.ts';
import { codeField, codeProblem } from '../../components/code-field.ts';
import { focusFirst } from '../../components/focus-first.ts';
import { notifyDone } from '../../components/notify.ts';
import { adminQuery } from '../../session/use-admin.ts';

const TurnOffForm = ({ onClose }: { onClose: () => void }) => {
  const queryClient = useQueryClient();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '', code: '' },
    validate: {
      password: (value) => (value === '' ? 'Enter your password' : null),
      code: codeProblem,
    },
  });
  const disable = useAction({
    mutationFn: (body: TotpDisableRequest) => call('POST /admin/me/totp/disable', { body }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: adminQuery.queryKey });
      notifyDone('Two-step sign-in is off.');
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => disable.mutate(values), focusFirst(form))} noValidate>
      <Stack gap="md" maw="26rem">
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          maxLength={128}
          {...form.getInputProps('password')}
        />
        <TextInput
          label="Code"
          description="From your app, or a recovery code"
          {...codeField}
          {...form.getInputProps('code')}
        />
        {disable.isError ? (
          <Alert
            role="alert"
            color="red"
            title={describeError('turn off two-step sign-in', disable.error)}
          />
        ) : null}
        <Group gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={disable.isPending}>
            Turn off
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

/** Requires the password and a code, in case a session was left unattended. */
export const TurnOffTwoStep = () => {
  const [opened, setOpened] = useState(false);
  if (opened) return <TurnOffForm onClose={() => setOpened(false)} />;
  return (
    <Group>
      <Button variant="default" onClick={() => setOpened(true)}>
        Turn off two-step sign-in
      </Button>
    </Group>
  );
};
