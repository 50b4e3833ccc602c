import type { EventTables } from '@daylift/events/event-tables';
import type { MailTables } from '@daylift/mail/mail';
import type {
  BatchesTable,
  BatchMessagesTable,
  CountChangesTable,
  DailyCountsTable,
  MinuteCountsTable,
} from './batches/batches.table.ts';
import type { BlockListChecksTable } from './block-list/block-list.table.ts';
import type { FreezeTable } from './freeze/freeze.table.ts';
import type { InboundTextsTable } from './inbound/inbound.table.ts';
import type { NumberLookupsTable } from './number-lookups/number-lookups.table.ts';
import type { OptOutsTable } from './opt-outs/opt-outs.table.ts';
import type { ProviderErrorsTable } from './provider-errors/provider-errors.table.ts';
import type { ReceiptsTable } from './receipts/receipts.table.ts';
import type { RecipientsTable } from './recipients/recipients.table.ts';
import type { SenderDaysTable, SenderHoursTable, SendersTable } from './senders/senders.table.ts';
import type {
  AlertSettingsTable,
  AlertTimesTable,
  SendPauseTable,
  TestingModeTable,
} from './settings/settings.table.ts';
import type { AreaSpendTable, DueTextsTable, NumberSpendTable } from './spend/spend.table.ts';
import type { StaffOptOutsTable } from './staff-opt-outs/staff-opt-outs.table.ts';
import type { TestTextsTable } from './test-texts/test-texts.table.ts';
import type { TextCostsTable } from './text-costs/text-costs.table.ts';
import type {
  BreakOffsTable,
  TextsTable,
  TransactionalTextKeysTable,
} from './texts/texts.table.ts';

export interface SmsDatabase extends EventTables, MailTables {
  recipients: RecipientsTable;
  number_lookups: NumberLookupsTable;
  senders: SendersTable;
  sender_days: SenderDaysTable;
  sender_hours: SenderHoursTable;
  opt_outs: OptOutsTable;
  block_list_checks: BlockListChecksTable;
  staff_opt_outs: StaffOptOutsTable;
  test_texts: TestTextsTable;
  texts: TextsTable;
  own_text_keys: TransactionalTextKeysTable;
  break_offs: BreakOffsTable;
  number_spend: NumberSpendTable;
  area_spend: AreaSpendTable;
  due_texts: DueTextsTable;
  batches: BatchesTable;
  batch_messages: BatchMessagesTable;
  daily_counts: DailyCountsTable;
  text_costs: TextCostsTable;
  minute_counts: MinuteCountsTable;
  count_changes: CountChangesTable;
  provider_errors: ProviderErrorsTable;
  receipts: ReceiptsTable;
  inbound_texts: InboundTextsTable;
  testing_mode: TestingModeTable;
  send_pause: SendPauseTable;
  sending_freeze: FreezeTable;
  alert_settings: AlertSettingsTable;
  alert_times: AlertTimesTable;
}
