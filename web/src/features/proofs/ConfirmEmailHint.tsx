import { useAction } from '@daylift/api-client/use-action';
import type { Me } from '@daylift/contracts/accounts.http';
import { Button, Text } from '@mantine/core';
import { call } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import classes from './ConfirmEmailHint.module.css';

export const ConfirmEmailHint = ({ user }: { user: Me }) => {
  const email = user.pending_email ?? user.email;
  const resend = useAction({ mutationFn: () => call('POST /users/me/confirm-email') });
  if (email === '' || (user.email_proven && user.pending_email === null)) return null;
  return (
    <section className={classes.hint} aria-label="Confirm your email">
      <Text fz="md" role="status">
        {resend.isSuccess
          ? resend.data.detail
          : `Please confirm your email: open the link we sent to ${email}.`}
      </Text>
      <ActionFailure action="send confirmation" error={resend.error} />
      {resend.isSuccess ? null : (
        <Button
          className={classes.resend}
          variant="subtle"
          size="compact-md"
          loading={resend.isPending}
          onClick={() => resend.mutate()}
        >
          Send Link Again
        </Button>
      )}
    </section>
  );
};
