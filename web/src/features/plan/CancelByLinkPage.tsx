import { useAction } from '@daylift/api-client/use-action';
import { formatDay } from '@daylift/ui/formats';
import { Button, Group } from '@mantine/core';
import { useLocation } from 'react-router';
import { call } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { MessagePage } from '../../components/MessagePage.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';

/** The target of the reminder's link. Opening it changes nothing, because mail scanners open links too. */
export const CancelByLinkPage = () => {
  const token = useLocation().hash.slice(1);
  const cancel = useAction({
    mutationFn: () => call('POST /plans/cancel', { body: { token } }),
  });
  if (cancel.isSuccess)
    return (
      <MessagePage title="Your plan is canceled">
        <PageTitle>Your plan is canceled</PageTitle>
        <p role="status">
          You'll keep getting your texts until {formatDay(cancel.data.ends_at)}, and you won't be
          charged. If you change your mind before then, you can undo this on your dashboard.
        </p>
        <LinkButton look="quiet" href={paths.dashboard}>
          Go to My Dashboard
        </LinkButton>
      </MessagePage>
    );
  return (
    <MessagePage title="Cancel your plan?">
      <PageTitle>Cancel your plan</PageTitle>
      <p>You'll keep getting your texts until your free trial ends, and you won't be charged.</p>
      <ActionFailure action="change plan" error={cancel.error} />
      <Group justify="center" mt="lg">
        <Button color="dawn" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel My Plan
        </Button>
        <LinkButton look="quiet" href={paths.dashboard}>
          Keep My Plan
        </LinkButton>
      </Group>
    </MessagePage>
  );
};
