import fc from 'fast-check';
import type { Currency, Discount, Plan } from './amounts.ts';
import type { CardKind } from './oracle.ts';

/** What happens to one subscriber. The days count from the start of the round. */
export interface Story {
  start: number;
  plan: Plan;
  card: CardKind;
  currency: Currency;
  place: Place;
  code: PromotionCode | null;
  /** Starts with a gift instead of a trial. */
  isGifted: boolean;
  acts: StoryAct[];
}

/** Tax rates in percent by the place of the billing address. */
export const taxRates = { 'US-OR': 0, 'US-CA': 7.25, 'US-NY': 8.875, GB: 20 };
export type Place = keyof typeof taxRates;

/** Each exists in both currencies. */
export const promotionCodes = {
  'HALF-FIRST': { percent: 50, months: 1 },
  'FREE-FIRST': { percent: 100, months: 1 },
  'THIRD-OFF-2': { percent: 33, months: 2 },
  'TENTH-OFF': { percent: 10, months: null },
  'TWO-OFF': { cents: 200, months: null },
  'ONE-OFF-14': { cents: 101, months: 14 },
  'TEN-DAYS': { freeDays: 10 },
} satisfies Record<string, Discount | { freeDays: number }>;
export type PromotionCode = keyof typeof promotionCodes;

export interface StoryAct {
  day: number;
  kind: ActKind;
  /** Chooses a payment, an amount or a number of days. */
  share: number;
  card: CardKind;
  plan: Plan;
  isTwice: boolean;
}

const weights = {
  upgrade: 5,
  switch: 5,
  cancel: 4,
  undo_cancel: 4,
  pay: 2,
  stop: 3,
  start: 4,
  new_card: 5,
  resubscribe: 4,
  refund: 5,
  credit: 3,
  free_days: 3,
  extend_trial: 2,
  free_access: 2,
  gift: 4,
  keep_gift: 2,
  redeem: 3,
  return_gift: 5,
  decide_gift: 4,
  cancel_now: 1,
  cancel_at_period_end: 2,
  dispute: 4,
  inquiry: 1,
  win: 3,
  lose: 2,
  delete: 1,
} as const;
export type ActKind = keyof typeof weights;

const plan = fc.constantFrom<Plan>('monthly', 'monthly', 'yearly');
const currency = fc.constantFrom<Currency>('usd', 'usd', 'gbp');
const place = fc.constantFrom(...(Object.keys(taxRates) as Place[]));
const code = fc.option(fc.constantFrom(...(Object.keys(promotionCodes) as PromotionCode[])), {
  freq: 1,
});
const card = fc.oneof(
  { weight: 7, arbitrary: fc.constant<CardKind>('good') },
  { weight: 2, arbitrary: fc.constant<CardKind>('failing') },
  { weight: 1, arbitrary: fc.constant<CardKind>('confirmed') },
);
const kind = fc.oneof(
  ...Object.entries(weights).map(([name, weight]) => ({
    weight,
    arbitrary: fc.constant(name as ActKind),
  })),
);

/** The first of two subscribers refers the second, who joins later. */
const worldOf = (days: number): fc.Arbitrary<Story[]> => {
  const story = (firstDay: number) =>
    fc
      .record({
        start: fc.integer({ min: firstDay, max: firstDay + 3 }),
        plan,
        card,
        currency,
        place,
        code,
        isGifted: fc.integer({ min: 1, max: 6 }).map((side) => side === 6),
        acts: fc.uniqueArray(
          fc.record({
            // Most happens early, while most is possible.
            day: fc.oneof(
              fc.integer({ min: 0, max: 12 }),
              fc.integer({ min: 0, max: days - firstDay - 4 }),
            ),
            kind,
            share: fc.double({ min: 0.01, max: 1, noNaN: true }),
            card,
            plan,
            isTwice: fc.boolean(),
          }),
          { minLength: 1, maxLength: 12, selector: ({ day }) => day, size: 'max' },
        ),
      })
      .map(({ acts, ...one }) => ({
        ...one,
        acts: acts
          .map((act) => ({ ...act, day: act.day + one.start }))
          .toSorted((a, b) => a.day - b.day),
      }));
  return fc.oneof(
    { weight: 2, arbitrary: story(0).map((one) => [one]) },
    { weight: 1, arbitrary: fc.tuple(story(0), story(4)).map((two) => [...two]) },
  );
};

/** Returns groups of one or two stories with about that many in total. */
export function generateWorlds(stories: number, days: number, seed: number): Story[][] {
  const worlds = fc.sample(worldOf(days), { seed, numRuns: stories });
  let total = 0;
  return worlds.filter(({ length }) => {
    const fits = total < stories;
    total += length;
    return fits;
  });
}

export type DayFault = 'none' | 'webhooks' | 'api' | 'kill' | 'all';
/** Most days are without faults. */
export const generateFaults = (days: number, seed: number): DayFault[] =>
  fc.sample(
    fc.oneof(
      { weight: 8, arbitrary: fc.constant<DayFault>('none') },
      { weight: 2, arbitrary: fc.constantFrom<DayFault>('webhooks', 'api') },
      { weight: 1, arbitrary: fc.constantFrom<DayFault>('kill', 'all') },
    ),
    { seed, numRuns: days },
  );
