import { type Static, Type } from 'typebox';
import { Count, LocalDate } from './fields.ts';

/** GET /admin/subscriptions/figures: one row a day of the operators' calendar, without gaps, the newest last. */
export const SubscriptionDaysQuery = Type.Object({
  days: Type.Integer({ minimum: 1, maximum: 366, default: 30 }),
});
export const SubscriptionDay = Type.Object({
  date: LocalDate,
  trials_started: Count,
  /** First payments of people who were on trial. */
  converted: Count,
  /** Subscriptions that ended or gave nothing any more. */
  churned: Count,
});
export type SubscriptionDay = Static<typeof SubscriptionDay>;
export const SubscriptionDayList = Type.Array(SubscriptionDay);
