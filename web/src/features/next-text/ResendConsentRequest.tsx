import { useAction } from '@daylift/api-client/use-action';
import { Button } from '@mantine/core';
import { call } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { FormMessage } from '../../components/FormMessage.tsx';
import classes from './NextTextCard.module.css';

/** Sends the consent request again. */
export const ResendConsentRequest = () => {
  const request = useAction({ mutationFn: () => call('POST /users/me/consent-request') });
  return (
    <div className={classes.step}>
      {request.isSuccess ? <FormMessage kind="info">{request.data.detail}</FormMessage> : null}
      <ActionFailure action="ask for consent" error={request.error} />
      {request.isSuccess ? null : (
        <Button variant="default" loading={request.isPending} onClick={() => request.mutate()}>
          Text Me Again
        </Button>
      )}
    </div>
  );
};
