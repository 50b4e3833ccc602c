import { useLayoutEffect, useState } from 'react';
import { useFreshOnReturn } from '../../components/leaving.ts';
import {
  forgetPendingSignup,
  type PendingSignup,
  readPendingSignup,
} from '../../session/pending-signup.ts';

export const usePendingSignup = () => {
  const [pending, setPending] = useState<PendingSignup | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [readLate, setReadLate] = useState(false);
  // After mount, because the prerendered page has none.
  useLayoutEffect(() => {
    setPending(readPendingSignup());
    delete document.documentElement.dataset.resuming;
  }, []);
  useFreshOnReturn();
  return {
    pending,
    failure,
    /** It appeared after mount, so focus has to move to it. */
    appearedLate: readLate,
    /** Reads the stored signup again: the account may exist although the checkout failed to open. */
    readAgain: (error: unknown) => {
      setFailure(error);
      setReadLate(true);
      setPending(readPendingSignup());
    },
    startOver: () => {
      forgetPendingSignup();
      setPending(null);
      setFailure(null);
      setReadLate(false);
    },
  };
};
