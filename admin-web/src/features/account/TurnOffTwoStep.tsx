import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import type { TotpDisableRequest } from '@daylift/contracts/admins.http';
import { Button, Group, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { call } from '../../api.ts';
import { ActionForm } from '../../components/ActionForm.tsx';
import { codeField, codeProblem } from '../../components/code-field.ts';
import { notifyDone } from '../../components/notify.ts';

const TurnOffForm = ({ onClose }: { onClose: () => void }) => {
  const refresh = useRefresh('me');
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
      await refresh();
      notifyDone('Two-step sign-in is off.');
    },
  });
  return (
    <ActionForm
      form={form}
      onSubmit={(values) => disable.mutate(values)}
      mutation={disable}
      action="turn off two-step sign-in"
      submit="Turn off"
      submitProps={{ color: 'red' }}
      onCancel={onClose}
      width="26rem"
    >
      <PasswordInput
        label="Password"
        autoFocus
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
    </ActionForm>
  );
};

/** Requires the password and a code, in case a session was left unattended. */
export const TurnOffTwoStep = () => {
  const [opened, setOpened] = useState<boolean>();
  if (opened) return <TurnOffForm onClose={() => setOpened(false)} />;
  return (
    <Group>
      <Button variant="default" autoFocus={opened === false} onClick={() => setOpened(true)}>
        Turn off two-step sign-in
      </Button>
    </Group>
  );
};
