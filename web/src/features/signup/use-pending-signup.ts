import { useLayoutEffect, useState } from 'react';
import { useFreshOnReturn } from '../../components/leaving.ts';
import {
  forgetPendingSignup,
  type PendingSignup,
  readPendingSignup,
} from '../../session/pending-signup.ts';

/** A signup that only lacks its checkout: left there a moment ago, or come back from it. */
export const usePendingSignup = () => {
  const [pending, setPending] = useState<PendingSignup | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [looked, setLooked] = useState(false);
  // Not at once: the server, which draws this page, knows of none.
  useLayoutEffect(() => setPending(readPendingSignup()), []);
  useFreshOnReturn();
  return {
    pending,
    failure,
    /** It came up while somebody was at work here, so that their focus has to follow. */
    cameUp: looked,
    /** After a failure, or instead of leaving: the account may stand although the checkout was not opened. */
    lookAgain: (error: unknown) => {
      setFailure(error);
      setLooked(true);
      setPending(readPendingSignup());
    },
    startOver: () => {
      forgetPendingSignup();
      setPending(null);
      setFailure(null);
      setLooked(false);
    },
  };
};
