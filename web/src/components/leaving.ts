import { useEffect } from 'react';

/** Goes on to a page of the payment provider. An address that is none is a failure like any other, which has to be said. */
export const leaveFor = (url: string): void => {
  if (!/^https?:\/\//.test(url)) throw new Error('what should be left for has no web address');
  window.location.assign(url);
};

/** The browser may have kept a page as it was when it was left, busy and with what was true then: it begins anew. */
export const useFreshOnReturn = (): void =>
  useEffect(() => {
    const cameBack = (event: PageTransitionEvent) => event.persisted && window.location.reload();
    window.addEventListener('pageshow', cameBack);
    return () => window.removeEventListener('pageshow', cameBack);
  }, []);
