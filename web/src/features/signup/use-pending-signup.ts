import { useEffect, useState } from 'react';
import { forgetPendingSignup, readPendingSignup } from './pending-signup.ts';

/** A signup that only lacks its checkout: left there a moment ago, or come back from it. */
export const usePendingSignup = () => {
  const [pending, setPending] = useState(readPendingSignup);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    // The browser may have kept this page, busy as it was when it was left for the checkout.
    const cameBack = (event: PageTransitionEvent) => event.persisted && window.location.reload();
    window.addEventListener('pageshow', cameBack);
    return () => window.removeEventListener('pageshow', cameBack);
  }, []);
  return {
    pending,
    failure,
    /** After a failure: the account may stand although the checkout could not be opened. */
    lookAgain: (error: unknown) => {
      setFailure(error);
      setPending(readPendingSignup());
    },
    startOver: () => {
      forgetPendingSignup();
      setPending(null);
      setFailure(null);
    },
  };
};
