import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { PlanChoice } from '../../paths.ts';
import { readInvitation, rememberInvitation } from './invitation.ts';

/**
 * Plan and referral code from the URL; the plan defaults to monthly. A newer choice wins over the URL of an earlier
 * step, and the URL is updated.
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

/** The referral code from the URL or an earlier visit. */
const useInvitation = (code: string | null): string | null => {
  const [kept, setKept] = useState<string | null>(null);
  useEffect(() => {
    if (code === null) setKept(readInvitation());
    else rememberInvitation(code);
  }, [code]);
  return code ?? kept;
};
