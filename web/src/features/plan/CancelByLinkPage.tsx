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

interface Words {
  question: string;
  title: string;
  effect: string;
  button: string;
  doneTitle: string;
  done: (day: string) => string;
}

/** The target of an email's link. Opening it changes nothing, because mail scanners open links too. */
const LinkPage = ({ words }: { words: Words }) => {
  const token = useLocation().hash.slice(1);
  const cancel = useAction({
    mutationFn: () => call('POST /plans/cancel', { body: { token } }),
  });
  if (cancel.isSuccess)
    return (
      <MessagePage title={words.doneTitle}>
        <PageTitle>{words.doneTitle}</PageTitle>
        <p role="status">
          {words.done(formatDay(cancel.data.ends_at))} If you change your mind before then, you can
          undo this on your dashboard.
        </p>
        <LinkButton look="quiet" href={paths.dashboard}>
          Go to My Dashboard
        </LinkButton>
      </MessagePage>
    );
  return (
    <MessagePage title={words.question}>
      <PageTitle>{words.title}</PageTitle>
      <p>{words.effect}</p>
      <ActionFailure action="change plan" error={cancel.error} />
      <Group justify="center" mt="lg">
        <Button color="dawn" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {words.button}
        </Button>
        <LinkButton look="quiet" href={paths.dashboard}>
          Keep My Plan
        </LinkButton>
      </Group>
    </MessagePage>
  );
};

const trialWords: Words = {
  question: 'Cancel your plan?',
  title: 'Cancel your plan',
  effect: "You'll keep getting your texts until your free trial ends, and you won't be charged.",
  button: 'Cancel My Plan',
  doneTitle: 'Your plan is canceled',
  done: (day) => `You'll keep getting your texts until ${day}, and you won't be charged.`,
};

const priceWords: Words = {
  question: 'Opt out of the new price?',
  title: 'Opt out of the new price',
  effect:
    "You'll keep paying your current price until the new one would start. Your plan ends then, and you won't be charged again.",
  button: 'Opt Out',
  doneTitle: 'You keep your current price',
  done: (day) => `Your plan ends on ${day}, and you won't be charged after that.`,
};

export const CancelByLinkPage = () => <LinkPage words={trialWords} />;
export const DeclinePricePage = () => <LinkPage words={priceWords} />;
