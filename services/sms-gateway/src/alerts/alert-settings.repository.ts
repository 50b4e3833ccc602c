import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { AlertSettingsTable } from '../settings/settings.table.ts';

export type AlertSettingsRow = Pick<
  Selectable<AlertSettingsTable>,
  'email' | 'threshold_percent' | 'enabled'
>;

export function findAlertSettings(db: Kysely<SmsDatabase>): Promise<AlertSettingsRow> {
  return db
    .selectFrom('alert_settings')
    .select(['email', 'threshold_percent', 'enabled'])
    .executeTakeFirstOrThrow();
}

export function lockAlertSettings(trx: Transaction<SmsDatabase>): Promise<AlertSettingsRow> {
  return trx
    .selectFrom('alert_settings')
    .select(['email', 'threshold_percent', 'enabled'])
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function storeAlertSettings(
  trx: Transaction<SmsDatabase>,
  settings: AlertSettingsRow,
): Promise<void> {
  await trx.updateTable('alert_settings').set(settings).execute();
}

export type AlertKind =
  | 'failures'
  | 'paused'
  | 'provider_errors'
  | 'testing_mode'
  | 'block_list'
  | 'spend_limit'
  | 'spend_shortfall';

/** Returns when the last alert of this kind was sent. */
export async function findLastAlert(
  db: Kysely<SmsDatabase>,
  kind: AlertKind,
): Promise<Date | null> {
  const row = await db
    .selectFrom('alert_times')
    .select('sent_at')
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row?.sent_at ?? null;
}

/**
 * Claims the right to send an alert of this kind. Only one of several concurrent callers gets it, and none if an alert
 * was sent after `since`.
 */
export async function takeAlertTurn(
  trx: Transaction<SmsDatabase>,
  kind: AlertKind,
  { now, since }: { now: Date; since: Date },
): Promise<boolean> {
  const taken = await sql`
    insert into alert_times (kind, sent_at) values (${kind}, ${now})
    on conflict (kind) do update set sent_at = ${now} where alert_times.sent_at <= ${since}
    returning kind`.execute(trx);
  return taken.rows.length === 1;
}
