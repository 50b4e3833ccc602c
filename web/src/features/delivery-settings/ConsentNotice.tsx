import type { Me } from '@daylift/contracts/accounts.http';
import { Button, Text } from '@mantine/core';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { FormMessage } from '../../components/FormMessage.tsx';
import classes from './ConsentNotice.module.css';
import { useAskConsentAgain } from './delivery-settings.queries.ts';

/** For a number that was asked and has not said YES. The current user is looked at again by itself meanwhile. */
const WaitingForYes = ({ user }: { user: Me }) => {
  const ask = useAskConsentAgain();
  return (
    <div className={classes.notice}>
      <FormMessage kind="info">
        <div>Waiting for YES</div>
        <Text fz="md" mt={4}>
          We asked {user.phone} by text to reply YES. Until then it gets nothing else from us.
        </Text>
        <Text fz="md" mt={4} role="status">
          {ask.data?.detail ?? ''}
        </Text>
      </FormMessage>
      {ask.isError ? <ActionFailure action="ask for consent" error={ask.error} /> : null}
      <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate()}>
        Ask Again
      </Button>
    </div>
  );
};

/** What keeps the texts away though the switch may be on. */
export const ConsentNotice = ({ user }: { user: Me }) => {
  if (user.opted_out)
    return (
      <div className={classes.notice}>
        <FormMessage kind="info">
          You replied STOP. Text START to our number from {user.phone} to get your texts again.
        </FormMessage>
      </div>
    );
  return user.consent === 'granted' ? null : <WaitingForYes user={user} />;
};
