import { LogoMark } from '@daylift/ui/Logo';
import { Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { type LoaderFunctionArgs, redirect, useSearchParams } from 'react-router';
import { useCatalogue } from '../../catalogue.ts';
import { FormCard } from '../../components/FormCard.tsx';
import { FormMessage } from '../../components/FormMessage.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { forgetPromotion } from '../../components/PromotionField.tsx';
import { paths } from '../../paths.ts';
import { startSession } from '../../session/current-user.ts';
import { useToken } from '../../session/keep-session.ts';
import { forgetPendingSignup, readPendingSignup } from '../../session/pending-signup.ts';
import { readToken } from '../../session/token.ts';
import { FirstText, useFirstText } from './FirstText.tsx';
import classes from './SuccessPage.module.css';
import { paymentStatusQuery } from './signup.queries.ts';

/** The checkout redirects here with its session ID. */
export const loader = ({ request }: LoaderFunctionArgs) =>
  new URL(request.url).searchParams.get('session_id') ? null : redirect(paths.home);

const WaysOn = ({ signInFirst = true }: { signInFirst?: boolean }) => (
  <div className={classes.ways}>
    <LinkButton look={signInFirst ? 'call' : 'quiet'} href={paths.login}>
      Sign In to Your Dashboard
    </LinkButton>
    <LinkButton look="quiet" href={paths.home}>
      Back to Home
    </LinkButton>
  </div>
);

const View = ({ title, children }: { title: string; children: ReactNode }) => (
  <div role="status">
    <PageTitle>{title}</PageTitle>
    <h1>{title}</h1>
    {children}
  </div>
);

const Checking = () => (
  <div className={classes.checking} role="status">
    <PageTitle>Checking payment status</PageTitle>
    <Loader aria-hidden="true" />
    <h1>Checking payment status...</h1>
  </div>
);

const Welcome = ({ trialDays }: { trialDays: number | undefined }) => {
  const onTrial = trialDays !== 0;
  const catalogue = useCatalogue();
  const [signup] = useState(readPendingSignup);
  const signedIn = useToken() !== null;
  useEffect(() => {
    if (signup?.token && readToken() === null) startSession(signup.token);
    forgetPendingSignup();
    forgetPromotion();
  }, [signup]);
  const first = useFirstText();
  // A text is planned once they have replied.
  const mustReply = signup?.consent === false && !first?.next_text_at;
  const days = trialDays ?? catalogue?.trial_days;
  return (
    <>
      <div className={classes.picture}>
        <LogoMark size={88} />
      </div>
      <View title={`Welcome to ${catalogue?.product_name ?? 'your mornings'}!`}>
        <p className={classes.lead}>
          {days ? `Your ${days}-day free trial has started` : 'Your subscription has started'}
        </p>
        {onTrial ? null : (
          <p>
            Each person and card gets one free trial, so your plan starts today. We'll email you the
            receipt.
          </p>
        )}
        {mustReply ? (
          <div className={classes.step}>
            <FormMessage kind="info">
              One last step, on your phone: reply YES to the text we're sending you now.
            </FormMessage>
          </div>
        ) : null}
        <FirstText next={first} />
        <p>
          {mustReply
            ? "Once you've replied, your first text arrives the next day at the time you chose."
            : 'Your first text arrives tomorrow at the time you chose.'}{' '}
          {signedIn ? "You're signed in on this device. On others, sign in" : 'Sign in'} with the
          email and password you signed up with to see it or change anything.
        </p>
      </View>
      <WaysOn />
    </>
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
      return <Welcome trialDays={data?.trial === false ? 0 : data?.trial_days} />;
    if (status === 'pending') return data?.open ? <Open /> : <Pending />;
    if (isFetching) return <Checking />;
    if (isError || status) return <Failed expired={status === 'expired'} onRetry={refetch} />;
    return <Checking />;
  };
  return <FormCard>{view()}</FormCard>;
};
