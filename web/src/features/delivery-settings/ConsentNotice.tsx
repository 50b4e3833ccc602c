import type { Me } from '@daylift/contracts/accounts.http';
import { formatPhone } from '@daylift/ui/formats';
import { Button, Text } from '@mantine/core';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { FormMessage } from '../../components/FormMessage.tsx';
import { ConfirmPhoneByCode } from './ConfirmPhoneByCode.tsx';
import classes from './ConsentNotice.module.css';
import { useResendConsentRequest } from './delivery-settings.queries.ts';

/**
 * Shown until the number replies YES. Polls the current user until then. Offers no code: it would prove the number,
 * but not that its owner wants texts.
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
            : `We texted ${formatPhone(user.pending_phone ?? user.phone)} to ask for a YES. ${
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
    </div>
  );
};

/**
 * A stranger may have typed the number in, so a YES doesn't say which account it means. Doesn't say that another account
 * has the number, because anyone can enter any number.
 */
const NeedsCode = ({ phone }: { phone: string }) => (
  <div className={classes.notice}>
    <FormMessage kind="info">
      <div>Confirm your number</div>
      <Text fz="md" mt={4}>
        We can't ask {formatPhone(phone)} for a YES. Please confirm it with a code.
      </Text>
    </FormMessage>
    <ConfirmPhoneByCode hint="We'll text you a 6-digit code." />
  </div>
);

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
  if (user.phone_needs_code) return <NeedsCode phone={user.pending_phone ?? user.phone} />;
  if (user.consent !== 'granted' || user.pending_phone !== null)
    return <WaitingForYes user={user} />;
  return user.phone_proven ? null : (
    <div className={classes.notice}>
      <ConfirmPhoneByCode hint="Optional: confirm this number so you can always recover your account by text." />
    </div>
  );
};
