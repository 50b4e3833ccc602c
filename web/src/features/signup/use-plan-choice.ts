import { useSearchParams } from 'react-router';
import type { PlanChoice } from '../../paths.ts';

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
  return { plan, choosePlan, ref: search.get('ref')?.trim().slice(0, 64) || null };
};
