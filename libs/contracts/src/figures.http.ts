import { type Static, Type } from 'typebox';
import { Count, LocalDate } from './fields.ts';

/** One row per day in the operators' time zone, without gaps, newest last. */
export const SubscriptionDaysQuery = Type.Object({
  days: Type.Integer({ minimum: 1, maximum: 366, default: 30 }),
});
export const SubscriptionDay = Type.Object({
  date: LocalDate,
  trials_started: Count,
  converted: Count,
  churned: Count,
  /** Churned subscribers who had paid. */
  paid_churned: Count,
});
export type SubscriptionDay = Static<typeof SubscriptionDay>;
export const SubscriptionDayList = Type.Array(SubscriptionDay);
