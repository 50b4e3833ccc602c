import { unpaidWords } from '@daylift/contracts/no-text-words';
import type { NextText } from '@daylift/contracts/scheduler.http';
import { formatDayAndFullHour } from '@daylift/ui/formats';
import { LogoMark } from '@daylift/ui/Logo';
import { type ReactNode, useEffect, useState } from 'react';
import { useCatalogue } from '../../catalogue.ts';
import { FormMessage } from '../../components/FormMessage.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { forgetPromotion } from '../../components/PromotionField.tsx';
import { forgetGift } from '../../components/visit-gift.ts';
import { paths } from '../../paths.ts';
import { startSession } from '../../session/current-user.ts';
import { useToken } from '../../session/keep-session.ts';
import { forgetPendingSignup, readPendingSignup } from '../../session/pending-signup.ts';
import { readToken } from '../../session/token.ts';
import { FirstText, useFirstText } from './FirstText.tsx';
import classes from './SuccessPage.module.css';

export const WaysOn = ({ signInFirst = true }: { signInFirst?: boolean }) => (
  <div className={classes.ways}>
    <LinkButton look={signInFirst ? 'call' : 'quiet'} href={paths.login}>
      Sign In to Your Dashboard
    </LinkButton>
    <LinkButton look="quiet" href={paths.home}>
      Back to Home
    </LinkButton>
  </div>
);

export const View = ({ title, children }: { title: string; children: ReactNode }) => (
  <div role="status">
    <PageTitle>{title}</PageTitle>
    <h1>{title}</h1>
    {children}
  </div>
);

/** Says when texts come to someone who had an account before this checkout: maybe today, or not while they're off. */
const returningWords = (next: NextText | undefined): string => {
  if (next === undefined) return '';
  const { next_text_at, timezone, reason } = next;
  if (next_text_at !== null)
    return `Your next text arrives ${formatDayAndFullHour(next_text_at, timezone ?? undefined)}.`;
  // The scheduler may not know of the payment yet.
  return reason === null || Object.values(unpaidWords).includes(reason)
    ? 'Your dashboard shows when your next text arrives.'
    : reason;
};

/** Shown once, after the checkout or a redeemed gift. Starts the session of the new account. */
export const Welcome = ({ lead, children }: { lead: string; children: ReactNode }) => {
  const catalogue = useCatalogue();
  const [signup] = useState(readPendingSignup);
  const signedIn = useToken() !== null;
  const isReturning = signup === null && signedIn;
  useEffect(() => {
    if (signup?.token && readToken() === null) startSession(signup.token);
    forgetPendingSignup();
    forgetPromotion();
    forgetGift();
  }, [signup]);
  const first = useFirstText();
  // A text is planned once they have replied.
  const mustReply = signup?.consent === false && !first?.next_text_at;
  return (
    <>
      <div className={classes.picture}>
        <LogoMark size={88} />
      </div>
      <View title={`Welcome to ${catalogue?.product_name ?? 'your mornings'}!`}>
        <p className={classes.lead}>{lead}</p>
        {children}
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
            : isReturning
              ? returningWords(first)
              : 'Your first text arrives tomorrow at the time you chose.'}{' '}
          {signedIn
            ? "You're signed in on this device, so the button opens your dashboard. On other devices, sign in"
            : 'Sign in'}{' '}
          with the email and password you signed up with to read your texts or change settings.
        </p>
      </View>
      <WaysOn />
    </>
  );
};
