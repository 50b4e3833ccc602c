import { planNamed } from '@daylift/contracts/plans';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { PlanChoice } from '../../paths.ts';
import { readInvitation, rememberInvitation } from './invitation.ts';

/**
 * Plan, referral and promotion code from the URL; the plan defaults to monthly. A newer choice wins over the URL of an
 * earlier step, and the URL is updated.
 */
export const usePlanChoice = () => {
  const [search, setSearch] = useSearchParams();
  const [chosen, choosePlan] = useState<PlanChoice | null>(null);
  const named = planNamed(search.get('plan'));
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
  const ref = useInvitation(search.get('ref')?.trim().slice(0, 64) || null);
  return { plan, choosePlan, ref, promo: promotionIn(search) };
};

/** Returns the promotion code of a link. */
export const promotionIn = (search: URLSearchParams): string | null =>
  search.get('promo')?.trim().toUpperCase().slice(0, 60) || null;

/** The referral code from the URL or an earlier visit. */
const useInvitation = (code: string | null): string | null => {
  const [stored, setStored] = useState<string | null>(null);
  useEffect(() => {
    if (code === null) setStored(readInvitation());
    else rememberInvitation(code);
  }, [code]);
  return code ?? stored;
};
