import { describeError } from '@daylift/api-client/operators-errors';
import { useAction } from '@daylift/api-client/use-action';
import type {
  TotpBeginRequest,
  TotpBegun,
  TotpConfirmRequest,
} from '@daylift/contracts/admins.http';
import { Alert, Button, Code, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { codeField, codeProblem } from '../../components/code-field.ts';
import { focusFirst } from '../../components/focus-first.ts';
import { adminQuery } from '../../session/use-admin.ts';
import { QrCode } from './QrCode.tsx';

const Confirm = ({ begun, onDone }: { begun: TotpBegun; onDone: (codes: string[]) => void }) => {
  const queryClient = useQueryClient();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { code: '' },
    validate: { code: codeProblem },
  });
  const confirm = useAction({
    mutationFn: (body: TotpConfirmRequest) => call('POST /admin/me/totp/confirm', { body }),
    onSuccess: ({ recovery_codes }) => {
      onDone(recovery_codes);
      return queryClient.invalidateQueries({ queryKey: adminQuery.queryKey });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => confirm.mutate(values), focusFirst(form))} noValidate>
      <Stack gap="md">
        <Text>
          Scan this with your authenticator app, or enter the key. Then enter the 6-digit code it
          shows.
        </Text>
        <QrCode text={begun.otpauth_url} label="QR code for your authenticator app" />
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} aria-label="Key">
          {begun.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
        </Code>
        <TextInput label="Code" maw="12rem" {...codeField} {...form.getInputProps('code')} />
        {confirm.isError ? (
          <Alert
            role="alert"
            color="red"
            title={describeError('set up two-step sign-in', confirm.error)}
          />
        ) : null}
        <Group>
          <Button type="submit" loading={confirm.isPending}>
            Turn on
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

export const SetUpTwoStep = ({ onDone }: { onDone: (codes: string[]) => void }) => {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: { password: (value) => (value === '' ? 'Enter your password' : null) },
  });
  const begin = useAction({
    mutationFn: (body: TotpBeginRequest) => call('POST /admin/me/totp', { body }),
  });
  if (begin.data) return <Confirm begun={begin.data} onDone={onDone} />;
  return (
    <form onSubmit={form.onSubmit((values) => begin.mutate(values), focusFirst(form))} noValidate>
      <Stack gap="md">
        <Text>
          Off. Two-step sign-in also asks for a code from your phone, so a stolen password isn't
          enough.
        </Text>
        <PasswordInput
          label="Your password"
          maw="26rem"
          autoComplete="current-password"
          maxLength={128}
          {...form.getInputProps('password')}
        />
        {begin.isError ? (
          <Alert
            role="alert"
            color="red"
            title={describeError('set up two-step sign-in', begin.error)}
          />
        ) : null}
        <Group>
          <Button type="submit" loading={begin.isPending}>
            Set up
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
