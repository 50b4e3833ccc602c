import { useAction } from '@daylift/api-client/use-action';
import type { GiftOffer } from '@daylift/contracts/gifts.http';
import { monthsInWords } from '@daylift/contracts/plans';
import { formatDay } from '@daylift/ui/formats';
import { Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { apiQuery, call } from '../../api.ts';
import { useCatalogue } from '../../catalogue.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { AppLink } from '../../components/AppLink.tsx';
import { FormCard } from '../../components/FormCard.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { MessagePage } from '../../components/MessagePage.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import {
  forgetGift,
  giftQuery,
  hasRedeemed,
  isGiftRefusal,
  keepGiftCode,
  readGiftCode,
} from '../../components/visit-gift.ts';
import { paths } from '../../paths.ts';
import { useSession } from '../../session/current-user.ts';
import { useToken } from '../../session/keep-session.ts';
import classes from './RedeemPage.module.css';
import { Welcome } from './Welcome.tsx';

/** The end of the free time, for the new subscriber who is signed in. */
const planQuery = apiQuery(['plan'], 'GET /users/me/plan');

const Started = () => {
  const { data: plan } = useQuery({ ...planQuery, enabled: useToken() !== null });
  const end = plan?.free_until ? ` until ${formatDay(plan.free_until)}` : '';
  return (
    <FormCard>
      <Welcome lead="Your gift has started">
        <p>Your texts are free{end}. There's no card on file, and nothing renews.</p>
      </Welcome>
    </FormCard>
  );
};

const Added = ({ until, timezone }: { until: string; timezone: string }) => {
  const title = `Your texts are free until ${formatDay(until, timezone)}`;
  return (
    <MessagePage title={title}>
      <PageTitle>{title}</PageTitle>
      <p role="status">
        You've redeemed your gift. If you have a plan that renews, you won't be charged before then.
      </p>
      <LinkButton look="call" href={paths.plan}>
        View My Plan
      </LinkButton>
    </MessagePage>
  );
};

const Offer = ({ gift, children }: { gift: GiftOffer; children: ReactNode }) => {
  const name = useCatalogue()?.product_name ?? 'kind texts';
  const title = `${gift.buyer_name || 'Someone'} gave you ${monthsInWords(gift.months)} of ${name}`;
  return (
    <MessagePage title={title}>
      <PageTitle>You have a gift</PageTitle>
      {gift.message ? <blockquote className={classes.message}>{gift.message}</blockquote> : null}
      {children}
    </MessagePage>
  );
};

/** Adds the gift to the plan of the signed-in subscriber. */
const AddToPlan = ({ gift, code }: { gift: GiftOffer; code: string }) => {
  const { user } = useSession();
  const redeem = useAction({
    mutationFn: (subscription_id: string) =>
      call('POST /gifts/redeem', { body: { gift_code: code, subscription_id } }),
    onSuccess: forgetGift,
  });
  if (redeem.isSuccess && user) return <Added until={redeem.data.until} timezone={user.timezone} />;
  return (
    <Offer gift={gift}>
      <p>
        You're signed in{user ? ` as ${user.email}` : ''}. The gift adds{' '}
        {monthsInWords(gift.months)} of free texts to your account. If your plan renews, your next
        charge is postponed by the same amount of time.
      </p>
      <ActionFailure action="redeem gift" error={redeem.error} />
      <Button
        color="dawn"
        size="lg"
        loading={redeem.isPending || !user}
        onClick={() => user && redeem.mutate(user.id)}
      >
        Add to My Account
      </Button>
    </Offer>
  );
};

const Invited = ({ gift }: { gift: GiftOffer }) => (
  <Offer gift={gift}>
    <p>
      A short, kind text on your phone, at the hour you choose. Sign up with your own number to
      start: you don't need a card, and nothing renews when the gift ends.
    </p>
    <div className={classes.ways}>
      <LinkButton look="call" size="large" href={paths.signup}>
        Sign Up and Start
      </LinkButton>
      <p>
        Already have an account?{' '}
        <AppLink href={paths.loginFor(paths.redeem)}>Sign in to add your gift</AppLink>
      </p>
    </div>
  </Offer>
);

/** The target of a gift's link. Opening it changes nothing. */
export const RedeemPage = () => {
  const { hash } = useLocation();
  const [search] = useSearchParams();
  const code = hash.slice(1) || readGiftCode();
  const { signedIn } = useSession();
  const isStarted = search.has('started') && hasRedeemed();
  const { data: gift, error, isFetching, refetch } = useQuery(giftQuery(isStarted ? null : code));
  useEffect(() => {
    if (gift && code !== null) keepGiftCode(code);
  }, [gift, code]);
  if (isStarted) return <Started />;
  if (gift && code !== null)
    return signedIn ? <AddToPlan gift={gift} code={code} /> : <Invited gift={gift} />;
  if (isFetching)
    return (
      <MessagePage title="Opening your gift...">
        <PageTitle>Opening your gift</PageTitle>
        <Loader aria-hidden="true" />
      </MessagePage>
    );
  return (
    <MessagePage title="This gift can't be opened">
      <PageTitle>This gift can't be opened</PageTitle>
      <p role="alert">
        {isGiftRefusal(error)
          ? error.detail
          : code === null
            ? 'This link is incomplete. Please open the full link you received.'
            : "We couldn't look up this gift. Please try again."}
      </p>
      {code === null || isGiftRefusal(error) ? null : (
        <Button variant="default" onClick={() => refetch()}>
          Try Again
        </Button>
      )}
      <LinkButton look="quiet" href={paths.home}>
        Back to Home
      </LinkButton>
    </MessagePage>
  );
};
