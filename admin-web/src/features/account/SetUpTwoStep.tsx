import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import type {
  TotpBeginRequest,
  TotpBegun,
  TotpConfirmRequest,
} from '@daylift/contracts/admins.http';
import { Code, PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { call } from '../../api.ts';
import { ActionForm } from '../../components/ActionForm.tsx';
import { codeField, codeProblem } from '../../components/code-field.ts';
import { QrCode } from './QrCode.tsx';

const Confirm = ({
  setup,
  onDone,
  onCancel,
}: {
  setup: TotpBegun;
  onDone: (codes: string[]) => void;
  onCancel: () => void;
}) => {
  const refresh = useRefresh('me');
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { code: '' },
    validate: { code: codeProblem },
  });
  const confirm = useAction({
    mutationFn: (body: TotpConfirmRequest) => call('POST /admin/me/totp/confirm', { body }),
    onSuccess: ({ recovery_codes }) => {
      onDone(recovery_codes);
      return refresh();
    },
  });
  return (
    <ActionForm
      form={form}
      onSubmit={(values) => confirm.mutate(values)}
      mutation={confirm}
      action="set up two-step sign-in"
      submit="Turn on"
      onCancel={onCancel}
    >
      <Text>
        Scan this with your authenticator app, or enter the key. Then enter the 6-digit code it
        shows.
      </Text>
      <QrCode text={setup.otpauth_url} label="QR code for your authenticator app" />
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} aria-label="Key">
        {setup.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
      </Code>
      <TextInput
        label="Code"
        maw="12rem"
        autoFocus
        {...codeField}
        {...form.getInputProps('code')}
      />
    </ActionForm>
  );
};

export const SetUpTwoStep = ({ onDone }: { onDone: (codes: string[]) => void }) => {
  const [canceled, setCanceled] = useState(false);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: { password: (value) => (value === '' ? 'Enter your password' : null) },
  });
  const begin = useAction({
    mutationFn: (body: TotpBeginRequest) => call('POST /admin/me/totp', { body }),
  });
  const cancel = () => {
    form.reset();
    begin.reset();
    setCanceled(true);
  };
  if (begin.data) return <Confirm setup={begin.data} onDone={onDone} onCancel={cancel} />;
  return (
    <ActionForm
      form={form}
      onSubmit={(values) => begin.mutate(values)}
      mutation={begin}
      action="set up two-step sign-in"
      submit="Set up"
    >
      <Text>
        Off. Two-step sign-in also asks for a code from your phone, so a stolen password isn't
        enough.
      </Text>
      <PasswordInput
        label="Your password"
        maw="26rem"
        autoComplete="current-password"
        maxLength={128}
        autoFocus={canceled}
        {...form.getInputProps('password')}
      />
    </ActionForm>
  );
};
