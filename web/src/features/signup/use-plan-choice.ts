import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { PlanChoice } from '../../paths.ts';
import { readInvitation, rememberInvitation } from './invitation.ts';

/**
 * The plan and the referral code stand in the address; anything but `yearly` is the monthly plan. The address of the
 * step before still names the plan that was chosen then: what is chosen here holds, and the address follows.
 */
export const usePlanChoice = () => {
  const [search, setSearch] = useSearchParams();
  const [chosen, choosePlan] = useState<PlanChoice | null>(null);
  const named: PlanChoice = search.get('plan') === 'yearly' ? 'yearly' : 'monthly';
  const plan = chosen ?? named;
  useEffect(() => {
    if (plan === named) return;
    setSearch(
      (before) => {
        before.set('plan', plan);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [plan, named, setSearch]);
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
