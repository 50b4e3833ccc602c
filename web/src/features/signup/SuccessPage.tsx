import { formatDay } from '@daylift/ui/formats';
import { Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type LoaderFunctionArgs, redirect, useSearchParams } from 'react-router';
import { useCatalogue } from '../../catalogue.ts';
import { FormCard } from '../../components/FormCard.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { paymentStatusQuery } from '../../payment-status.ts';
import { readPendingSignup } from '../../session/pending-signup.ts';
import classes from './SuccessPage.module.css';
import { View, WaysOn, Welcome } from './Welcome.tsx';

/** The checkout redirects here with its session ID. */
export const loader = ({ request }: LoaderFunctionArgs) =>
  new URL(request.url).searchParams.get('session_id') ? null : redirect(paths.home);

const Checking = () => (
  <div className={classes.checking} role="status">
    <PageTitle>Checking payment status</PageTitle>
    <Loader aria-hidden="true" />
    <h1>Checking payment status...</h1>
  </div>
);

const Subscribed = ({
  trialDays,
  firstChargeAt,
}: {
  trialDays: number | undefined;
  firstChargeAt: string | undefined;
}) => {
  const usualDays = useCatalogue()?.trial_days;
  if (firstChargeAt !== undefined)
    return (
      <Welcome lead="Your plan is set">
        <p>
          Nothing was charged today. Your first charge is on {formatDay(firstChargeAt)}, when your
          free texts end.
        </p>
      </Welcome>
    );
  const days = trialDays ?? usualDays;
  const lead = days ? `Your ${days}-day free trial has started` : 'Your subscription has started';
  return (
    <Welcome lead={lead}>
      {trialDays === 0 ? (
        <p>
          Each person and card gets one free trial, so your plan starts today. We'll email you the
          receipt.
        </p>
      ) : null}
    </Welcome>
  );
};

const Pending = () => (
  <>
    <View title="Your payment is on its way">
      <p>
        Your bank hasn't confirmed it yet. This page checks automatically. You can also close it;
        nothing will be lost.
      </p>
    </View>
    <WaysOn />
  </>
);

/** Shown when the visitor returns without paying, such as with the browser's back button. */
const Open = () => {
  const signup = readPendingSignup();
  return (
    <>
      <View title="Your checkout is still open">
        <p>
          You haven't entered a card yet, so you haven't been charged and your texts haven't
          started. Your account is saved. {signup ? 'Pick up' : 'Sign in to pick up'} where you left
          off.
        </p>
      </View>
      {signup ? (
        <div className={classes.ways}>
          <LinkButton look="call" href={paths.signupFor(signup.plan)}>
            Continue to Payment
          </LinkButton>
        </div>
      ) : null}
      <WaysOn signInFirst={signup === null} />
    </>
  );
};

const failedWords = {
  expired: {
    title: 'This checkout has expired',
    text: 'It was open too long, so nothing was charged. Your account is saved: go back to the checkout to finish.',
  },
  unconfirmed: {
    title: "We couldn't confirm your payment",
    text: 'Your account is saved. If your card was declined, go back to the checkout. If you did pay, check again.',
  },
};

/** Links back to the checkout, from this tab or via the login. */
const Failed = ({ expired, onRetry }: { expired: boolean; onRetry: () => void }) => {
  const { title, text } = failedWords[expired ? 'expired' : 'unconfirmed'];
  const open = readPendingSignup();
  return (
    <>
      <View title={title}>
        <p>{text}</p>
      </View>
      <div className={classes.ways}>
        {open ? (
          <LinkButton look="call" href={paths.signupFor(open.plan)}>
            Back to the Checkout
          </LinkButton>
        ) : null}
        {expired ? null : (
          <Button variant="default" fullWidth onClick={onRetry}>
            Check Again
          </Button>
        )}
      </div>
      <WaysOn signInFirst={open === null} />
    </>
  );
};

/** Checkout result: checking, success, pending or failed. */
export const SuccessPage = () => {
  const sessionId = useSearchParams()[0].get('session_id') ?? '';
  const { data, isFetching, isError, refetch } = useQuery(paymentStatusQuery(sessionId));
  const status = data?.payment_status;
  const view = () => {
    if (status === 'paid')
      return (
        <Subscribed
          trialDays={data?.trial === false ? 0 : data?.trial_days}
          firstChargeAt={data?.first_charge_at}
        />
      );
    if (status === 'pending') return data?.open ? <Open /> : <Pending />;
    if (isFetching) return <Checking />;
    if (isError || status) return <Failed expired={status === 'expired'} onRetry={refetch} />;
    return <Checking />;
  };
  return <FormCard>{view()}</FormCard>;
};
