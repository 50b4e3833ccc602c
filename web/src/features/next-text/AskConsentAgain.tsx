import { useAction } from '@daylift/api-client/use-action';
import { Button } from '@mantine/core';
import { call } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { FormMessage } from '../../components/FormMessage.tsx';
import classes from './NextTextCard.module.css';

/** Sends the consent request again. */
export const AskConsentAgain = () => {
  const ask = useAction({ mutationFn: () => call('POST /users/me/consent-request') });
  return (
    <div className={classes.step}>
      {ask.isSuccess ? <FormMessage kind="info">{ask.data.detail}</FormMessage> : null}
      <ActionFailure action="ask for consent" error={ask.error} />
      {ask.isSuccess ? null : (
        <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate()}>
          Ask Me Again
        </Button>
      )}
    </div>
  );
};
