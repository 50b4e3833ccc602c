import type { Me } from '@daylift/contracts/accounts.http';
import { formatPhone } from '@daylift/ui/formats';
import { Button, Text } from '@mantine/core';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { FormMessage } from '../../components/FormMessage.tsx';
import { ConfirmPhoneByCode } from './ConfirmPhoneByCode.tsx';
import classes from './ConsentNotice.module.css';
import { useResendConsentRequest } from './delivery-settings.queries.ts';

/**
 * Shown until the number replies YES. Polls the current user until then. No text comes, and a YES confirms nothing,
 * while another account has the number. Doesn't say so, because anyone can enter any number.
 */
const WaitingForYes = ({ user }: { user: Me }) => {
  const request = useResendConsentRequest();
  const isUnreachable = Boolean(user.unreachable) && user.pending_phone === null;
  return (
    <div className={classes.notice}>
      <FormMessage kind="info">
        <div>{isUnreachable ? 'Your texts are paused' : 'Waiting for YES'}</div>
        <Text fz="md" mt={4}>
          {isUnreachable
            ? `Is ${formatPhone(user.phone)} right? Select Edit to change it. If it's right, we can text it again: reply YES to get your texts back.`
            : `Reply YES to our text at ${formatPhone(user.pending_phone ?? user.phone)}. ${
                user.pending_phone !== null && user.consent === 'granted'
                  ? `Until you reply, your texts keep going to ${formatPhone(user.phone)}.`
                  : "We won't send anything else until you reply."
              }`}
        </Text>
        <Text fz="md" mt={4} role="status">
          {request.data?.detail ?? ''}
        </Text>
      </FormMessage>
      <ActionFailure action="ask for consent" error={request.error} />
      <Button variant="default" loading={request.isPending} onClick={() => request.mutate()}>
        {isUnreachable ? 'Try Again' : 'Text Me Again'}
      </Button>
      {user.pending_phone === null && user.phone_proven ? null : (
        <ConfirmPhoneByCode hint="If no text comes, confirm this number with a 6-digit code." />
      )}
    </div>
  );
};

/** Explains why no texts come although delivery is on. */
export const ConsentNotice = ({ user }: { user: Me }) => {
  if (user.phone === '' && user.pending_phone === null)
    return (
      <div className={classes.notice}>
        <FormMessage kind="info">
          Your account has no phone number. Select Edit and add yours to get your texts.
        </FormMessage>
      </div>
    );
  // The banner already says what to do.
  if (user.opted_out) return null;
  if (user.consent !== 'granted' || user.pending_phone !== null)
    return <WaitingForYes user={user} />;
  return user.phone_proven ? null : (
    <div className={classes.notice}>
      <ConfirmPhoneByCode hint="Optional: confirm this number so you can always recover your account by text." />
    </div>
  );
};
