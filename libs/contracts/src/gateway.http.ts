import { type Static, Type } from 'typebox';
import { UserFigures } from './accounts.http.ts';
import { BillingFigures } from './billing.http.ts';
import { ContentFigures } from './content.http.ts';
import { SmsStats } from './sms.http.ts';

export const AdminAnalytics = Type.Object({
  users: UserFigures,
  ...BillingFigures.properties,
  ...ContentFigures.properties,
  sms: SmsStats,
});
export type AdminAnalytics = Static<typeof AdminAnalytics>;
