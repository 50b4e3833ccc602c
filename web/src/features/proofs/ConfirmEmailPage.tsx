import { ApiError } from '@daylift/api-client/request';
import { useAction } from '@daylift/api-client/use-action';
import { Button, Group, Stack } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useLocation } from 'react-router';
import { call } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { MessagePage } from '../../components/MessagePage.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { refreshQueries } from '../../components/query-updates.ts';
import { paths } from '../../paths.ts';
import { queryClient } from '../../query-client.ts';
import { currentUserQuery } from '../../session/current-user.ts';

const Answered = ({ detail, confirmed }: { detail: string; confirmed: boolean }) => (
  <MessagePage title={confirmed ? 'Email confirmed' : 'Done'}>
    <PageTitle>Confirm your email</PageTitle>
    <p role="status">{detail}</p>
    <LinkButton look="call" href={confirmed ? paths.dashboard : paths.home}>
      {confirmed ? 'Go to Dashboard' : 'Back to Home'}
    </LinkButton>
  </MessagePage>
);

const ConfirmForm = ({
  busy,
  error,
  passwordNeeded,
  onConfirm,
  onDecline,
}: {
  busy: boolean;
  error: Error | null;
  passwordNeeded: boolean;
  onConfirm: (password: string) => void;
  onDecline: () => void;
}) => {
  const [password, setPassword] = useState('');
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onConfirm(password);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error ? <ActionFailure action="confirm email" error={error} /> : null}
        {passwordNeeded ? (
          <PasswordField
            label="Your password"
            autoComplete="current-password"
            maxLength={128}
            required
            ta="left"
            value={password}
            readOnly={busy}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        ) : null}
        <Group justify="center" gap="sm">
          <Button type="submit" color="dawn" loading={busy}>
            Confirm
          </Button>
          <Button variant="default" disabled={busy} onClick={onDecline}>
            I didn't sign up
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

/** Target of the confirmation link. Needs a click, because mail scanners open links too. */
export const ConfirmEmailPage = () => {
  const token = useLocation().hash.slice(1);
  const [passwordNeeded, setPasswordNeeded] = useState(false);
  const answer = useAction({
    mutationFn: (choice: { decline?: true; password?: string }) =>
      call('POST /users/confirm-email', { body: { token, ...choice } }),
    onSuccess: () => refreshQueries(queryClient, currentUserQuery.queryKey),
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'PASSWORD_NEEDED') setPasswordNeeded(true);
    },
  });
  if (answer.isSuccess)
    return <Answered detail={answer.data.detail} confirmed={!answer.variables.decline} />;
  return (
    <MessagePage title="Confirm your email">
      <PageTitle>Confirm your email</PageTitle>
      <p>Please confirm that this email address is yours.</p>
      <ConfirmForm
        busy={answer.isPending}
        error={answer.error}
        passwordNeeded={passwordNeeded}
        onConfirm={(password) => answer.mutate(password === '' ? {} : { password })}
        onDecline={() => answer.mutate({ decline: true })}
      />
    </MessagePage>
  );
};
