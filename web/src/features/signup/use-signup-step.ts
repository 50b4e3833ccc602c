import { useCallback, useEffect } from 'react';
import { useSearchParams } from 'react-router';

export type Step = 'personal info' | 'preferences';

/**
 * Keeps the step in the URL, so the back button returns to step 1. After a reload the passwords are gone, so it starts
 * at step 1 again and calls `onReset`.
 */
export const useSignupStep = (firstIsDone: boolean, onReset: () => void) => {
  const [search, setSearch] = useSearchParams();
  const named = search.get('step') === '2';
  const name = useCallback(
    (step: Step, replace: boolean) =>
      setSearch(
        (before) => {
          if (step === 'preferences') before.set('step', '2');
          else before.delete('step');
          return before;
        },
        { replace, preventScrollReset: true },
      ),
    [setSearch],
  );
  useEffect(() => {
    if (!named || firstIsDone) return;
    name('personal info', true);
    onReset();
  }, [named, firstIsDone, name, onReset]);
  return {
    step: (named && firstIsDone ? 'preferences' : 'personal info') as Step,
    // From the address, because a double click comes before the next render.
    goTo: (next: Step) =>
      name(next, next === 'personal info' || /[?&]step=2/.test(window.location.search)),
  };
};
