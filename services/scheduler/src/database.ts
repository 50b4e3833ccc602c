import type { SequenceText } from '@daylift/contracts/content.events';
import type { EventTables } from '@daylift/events/event-tables';
import type { AnnouncementPlansTable } from './announcements/announcements.table.ts';
import type { ContentAlertsTable } from './content-ahead/content-ahead.table.ts';
import type {
  DeletedMessagesTable,
  PastTemplatesTable,
  ScheduledMessagesTable,
  TemplatesTable,
} from './contents/contents.table.ts';
import type {
  DeliverySlotChangesTable,
  DeliverySlotsTable,
} from './delivery-slots/delivery-slots.table.ts';
import type {
  BatchesTable,
  DispatchesTable,
  HeartbeatsTable,
} from './dispatches/dispatches.table.ts';
import type { PublishedDueTextsTable } from './due-texts/due-texts.table.ts';
import type { ForecastSkipsTable, ForecastsTable } from './forecast/forecasts.table.ts';
import type {
  LibraryRunwayTable,
  LibraryWarningsTable,
} from './library-runway/library-runway.table.ts';
import type { DueHourChangesTable, DueHoursTable } from './load/due-hours.table.ts';
import type { LostDaysProgressTable } from './lost-days/lost-days.table.ts';
import type { ManualSendsTable } from './manual-sends/manual-sends.table.ts';
import type { RunsTable } from './runs/runs.table.ts';
import type { SubscribersTable, ZonesTable } from './subscribers/subscribers.table.ts';

export interface SchedulerDatabase extends EventTables {
  subscribers: SubscribersTable;
  delivery_slots: DeliverySlotsTable;
  delivery_slot_changes: DeliverySlotChangesTable;
  due_hours: DueHoursTable;
  due_hour_changes: DueHourChangesTable;
  published_due_texts: PublishedDueTextsTable;
  zones: ZonesTable;
  scheduled_messages: ScheduledMessagesTable;
  deleted_messages: DeletedMessagesTable;
  templates: TemplatesTable;
  past_templates: PastTemplatesTable;
  sequence_texts: SequenceText;
  dispatches: DispatchesTable;
  batches: BatchesTable;
  announcement_plans: AnnouncementPlansTable;
  content_alerts: ContentAlertsTable;
  staff_sends: ManualSendsTable;
  rehearsals: ForecastsTable;
  rehearsal_skips: ForecastSkipsTable;
  library_runway: LibraryRunwayTable;
  library_warnings: LibraryWarningsTable;
  lost_days_progress: LostDaysProgressTable;
  runs: RunsTable;
  heartbeats: HeartbeatsTable;
}
