import { useEffect } from 'react';

/** Navigates to the payment provider. Throws if the URL is not http(s). */
export const leaveFor = (url: string): void => {
  if (!/^https?:\/\//.test(url)) throw new Error('not an http(s) URL');
  window.location.assign(url);
};

/** Reloads a page restored from the back/forward cache, which would be busy and out of date. */
export const useFreshOnReturn = (): void =>
  useEffect(() => {
    const cameBack = (event: PageTransitionEvent) => event.persisted && window.location.reload();
    window.addEventListener('pageshow', cameBack);
    return () => window.removeEventListener('pageshow', cameBack);
  }, []);
