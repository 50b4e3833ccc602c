import { type Static, Type } from 'typebox';
import { UserFigures } from './accounts.http.ts';
import { BillingFigures } from './billing.http.ts';
import { ContentFigures } from './content.http.ts';
import { Count, Instant, Nullable } from './fields.ts';
import { FreezeState } from './freeze.http.ts';
import { SchedulerStatus } from './scheduler.http.ts';
import { SmsBatchList, SmsStats } from './sms.http.ts';

/** Live figures of a service. The gateway reads them every second, so they must be cheap. */
export const AccountsLive = Type.Object({
  users: UserFigures,
  inbox_open: Count,
});
export const BillingLive = BillingFigures;
export const ContentLive = ContentFigures;
export const SchedulerLive = Type.Object({ status: SchedulerStatus });
export const SmsLive = Type.Object({
  batches: SmsBatchList,
  sms: SmsStats,
  freeze: FreezeState,
  /** Without the test number, which viewers can't see. `revision` changes with every change of the mode. */
  testing_mode: Type.Object({ enabled: Type.Boolean(), revision: Count }),
});
export type SmsLive = Static<typeof SmsLive>;

const GatewayLive = Type.Object({ parked: Count });

const LiveFigures = Type.Object({
  ...AccountsLive.properties,
  ...BillingLive.properties,
  ...ContentLive.properties,
  ...SchedulerLive.properties,
  ...SmsLive.properties,
  ...GatewayLive.properties,
});
export type LiveFigures = Static<typeof LiveFigures>;

export const LiveUpdate = Type.Object({
  at: Instant,
  behind_since: Nullable(Instant),
  figures: Type.Partial(LiveFigures),
});
export type LiveUpdate = Static<typeof LiveUpdate>;
