import { type Static, Type } from 'typebox';
import { UserFigures } from './accounts.http.ts';
import { BillingFigures } from './billing.http.ts';
import { ContentFigures } from './content.http.ts';
import { Count, Instant, Nullable } from './fields.ts';
import { FreezeState } from './freeze.http.ts';
import { SchedulerStatus } from './scheduler.http.ts';
import { SmsBatchList, SmsStats } from './sms.http.ts';

/** What each service answers to GET /internal/live: what of it changes while somebody looks. Cheap, it is asked each second. */
export const AccountsLive = Type.Object({
  users: UserFigures,
  /** Open conversations, counted up to 1,000. */
  inbox_open: Count,
});
export const BillingLive = BillingFigures;
export const ContentLive = ContentFigures;
export const SchedulerLive = Type.Object({ status: SchedulerStatus });
export const SmsLive = Type.Object({
  batches: SmsBatchList,
  sms: SmsStats,
  freeze: FreezeState,
  /** Without its number, which not every admin sees; another revision is another mode. */
  testing_mode: Type.Object({ enabled: Type.Boolean(), revision: Count }),
});
export type SmsLive = Static<typeof SmsLive>;

/** What the gateway itself puts together, less often. `parked`: how much all services together have given up. */
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

/** GET /admin/live: one of these, or a stream of them to whoever accepts `text/event-stream`. */
export const LiveUpdate = Type.Object({
  at: Instant,
  /** A part of the product has not answered since then, and its figures are as old; null while all do. */
  behind_since: Nullable(Instant),
  /** All figures at first, then those that changed. */
  figures: Type.Partial(LiveFigures),
});
export type LiveUpdate = Static<typeof LiveUpdate>;
