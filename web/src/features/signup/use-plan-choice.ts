import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { PlanChoice } from '../../paths.ts';
import { readInvitation, rememberInvitation } from './invitation.ts';

/** The plan and the referral code stand in the address; anything but `yearly` is the monthly plan. */
export const usePlanChoice = () => {
  const [search, setSearch] = useSearchParams();
  const plan: PlanChoice = search.get('plan') === 'yearly' ? 'yearly' : 'monthly';
  const choosePlan = (next: PlanChoice) =>
    setSearch(
      (before) => {
        before.set('plan', next);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  return { plan, choosePlan, ref: useInvitation(search.get('ref')?.trim().slice(0, 64) || null) };
};

/** The code of the address, or else the one of an earlier visit. */
const useInvitation = (code: string | null): string | null => {
  const [kept, setKept] = useState<string | null>(null);
  useEffect(() => {
    if (code === null) setKept(readInvitation());
    else rememberInvitation(code);
  }, [code]);
  return code ?? kept;
};
