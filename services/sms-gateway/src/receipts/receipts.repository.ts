import { dayMs, minuteMs } from '@daylift/clock/durations';
import type { Cleanup } from '@daylift/database/cleanup';
import { inIndexOrder } from '@daylift/database/index-order';
import { isRecent } from '@daylift/database/partitions';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { isOneOf } from '../texts/due-texts.repository.ts';
import { localDateOf } from '../texts/text-ids.ts';
import type { Text, TextKey } from '../texts/texts.repository.ts';
import type { Evidence, ProviderEvent } from './receipt.ts';

const firstPauseMs = 15 * minuteMs;

/** The columns that evidence reads or changes. `content` is left out because it is large. */
const provenColumns = [
  'id',
  'local_date',
  'kind',
  'user_id',
  'batch_id',
  'scheduled_message_id',
  'due_at',
  'deadline_at',
  'state',
  'reason',
  'error_code',
  'attempts',
  'sender',
  'to_number',
  'is_test',
  'provider_id',
  'returned_ids',
  'handed_at',
  'settled_at',
  'finalized_at',
  'parts',
  'cost',
  'currency',
  'check_at',
  'created_at',
  'traceparent',
] as const;
export type ProvenText = Pick<Text, (typeof provenColumns)[number]>;

const receiptColumns = [
  'event_id',
  'event_type',
  'provider_id',
  'text_id',
  'status',
  'error_code',
  'parts',
  'cost',
  'currency',
  'occurred_at',
  'received_at',
] as const;

/** Skips events that are stored. Returns the ids of the others. */
export async function insertReceipts(
  trx: Transaction<SmsDatabase>,
  receipts: { event: ProviderEvent; evidence: Evidence; text: TextKey | null; now: Date }[],
): Promise<Set<string>> {
  const values = receipts.map(({ event, evidence, text, now }) => ({
    event_id: event.id,
    event_type: event.event_type,
    provider_id: evidence.provider_id,
    text_id: text?.id ?? null,
    status: evidence.status,
    error_code: evidence.error_code,
    parts: evidence.parts,
    cost: evidence.cost,
    currency: evidence.currency,
    occurred_at: event.occurred_at,
    received_at: now,
  }));
  const columns = sql.join(receiptColumns.map((column) => sql.ref(column)));
  // One parameter, so the statement is planned once for any number of receipts.
  const { rows } = await sql<{ event_id: string }>`insert into receipts (${columns})
    select ${columns} from json_populate_recordset(null::receipts, ${JSON.stringify(values)})
    on conflict do nothing returning event_id`.execute(trx);
  return new Set(rows.map(({ event_id }) => event_id));
}

/** Returns whether a receipt says that the text has left the provider's queue. */
export async function hasLeftProvider(
  trx: Transaction<SmsDatabase>,
  providerId: string,
  textId: string,
): Promise<boolean> {
  const receipt = await trx
    .selectFrom('receipts')
    .select('event_id')
    .where('text_id', '=', textId)
    .where('provider_id', '=', providerId)
    .where('event_type', '=', 'message.sent')
    .executeTakeFirst();
  return receipt !== undefined;
}

interface Claim {
  hint: string;
  provider_id: string;
  to: string | null;
}

/**
 * Locks the text of each receipt, or returns null for it. The id in the URL is only a hint: the provider's id, or the
 * number while that is unknown, must match.
 */
export async function lockTextsOf(
  trx: Transaction<SmsDatabase>,
  claims: Claim[],
): Promise<(ProvenText | null)[]> {
  const hints = claims.map(({ hint }) => hint).filter((hint) => localDateOf(hint) !== null);
  const hinted = await lockTexts(trx, isOneOf('texts', hints));
  const byId = new Map(hinted.map((text) => [text.id, text]));
  const found = claims.map((claim) => {
    const text = byId.get(claim.hint);
    return text !== undefined && isTextOf(text, claim) ? text : null;
  });
  const lost = claims.filter((_claim, index) => found[index] === null);
  if (lost.length === 0) return found;
  const ids = lost.map(({ provider_id }) => provider_id);
  const others = await lockTexts(trx, sql<boolean>`provider_id = any(${ids})`);
  return found.map(
    (text, index) =>
      text ?? others.find((one) => one.provider_id === claims[index]?.provider_id) ?? null,
  );
}

function isTextOf(text: ProvenText, { provider_id, to }: Claim): boolean {
  if (text.provider_id !== null) return text.provider_id === provider_id;
  return text.to_number !== null && text.to_number === to;
}

const lockTexts = (
  trx: Transaction<SmsDatabase>,
  which: RawBuilder<boolean>,
): Promise<ProvenText[]> =>
  trx.selectFrom('texts').select(provenColumns).where(which).orderBy('id').forUpdate().execute();

/** Returns when the next lookup is due. */
export async function nextCheckAt(db: Kysely<SmsDatabase>, now: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('texts')
    .select('check_at')
    .where('check_at', '>', now)
    .where(isRecent(now))
    .orderBy('check_at')
    .limit(sql.lit(1))
    .executeTakeFirst();
  return row?.check_at ?? null;
}

/**
 * Schedules the next lookup before running this one, with exponential back-off, so replicas share the work and a crash
 * only delays it.
 */
export async function claimUnresolved(
  db: Kysely<SmsDatabase>,
  now: Date,
  limit: number,
): Promise<Text[]> {
  // The usual case, in a statement that Postgres plans once. With the limit as a value, it would plan each call, because
  // a plan for any limit counts a tenth of all rows as read.
  const first = await db
    .selectFrom('texts')
    .select('id')
    .where('check_at', '<=', now)
    .where(isRecent(now))
    .orderBy('check_at')
    .limit(sql.lit(1))
    .executeTakeFirst();
  if (first === undefined) return [];
  return inIndexOrder(db, (trx) =>
    trx
      .updateTable('texts')
      .set({
        checks: sql`checks + 1`,
        check_at: sql`${now}::timestamptz + least(power(2, checks), 96) * ${firstPauseMs / 1_000} * interval '1 second'`,
      })
      .where(
        sql<boolean>`(id, local_date) in (select id, local_date from texts where check_at <= ${now} and ${isRecent(now)}
        order by check_at limit ${limit} for update skip locked)`,
      )
      .returningAll()
      .execute(),
  );
}

/** Checks a text at `instant` at the latest. */
export async function checkBy(
  db: Kysely<SmsDatabase>,
  text: TextKey,
  instant: Date,
): Promise<void> {
  await db
    .updateTable('texts')
    .set({ check_at: sql`least(check_at, ${instant})` })
    .where('id', '=', text.id)
    .where('local_date', '=', text.local_date)
    .where('state', '=', 'unknown')
    .execute();
}

/** Ends lookups of a text. The state stays as it is, because it can no longer be determined. */
export async function stopLookups(db: Kysely<SmsDatabase>, text: TextKey): Promise<void> {
  await db
    .updateTable('texts')
    .set({ check_at: null, reason: sql`coalesce(reason, 'no_evidence')` })
    .where('id', '=', text.id)
    .where('local_date', '=', text.local_date)
    .where('finalized_at', 'is', null)
    .execute();
}

/** Stores what is proven about locked texts. */
export async function storeEvidence(
  trx: Transaction<SmsDatabase>,
  texts: ProvenText[],
): Promise<void> {
  if (texts.length === 0) return;
  const of = <T>(read: (text: ProvenText) => T) => texts.map(read);
  const ids = of(({ id }) => id);
  await sql`update texts t set state = w.state, provider_id = w.provider_id, reason = w.reason,
      error_code = w.error_code, settled_at = w.settled_at, finalized_at = w.finalized_at, parts = w.parts,
      cost = w.cost, currency = w.currency, check_at = w.check_at, lease_until = null
    from unnest(${ids}::text[], ${of((text) => text.state)}::text[], ${of((text) => text.provider_id)}::text[],
        ${of((text) => text.reason)}::text[], ${of((text) => text.error_code)}::text[],
        ${of((text) => text.settled_at)}::timestamptz[], ${of((text) => text.finalized_at)}::timestamptz[],
        ${of((text) => text.parts)}::smallint[], ${of((text) => text.cost)}::numeric[],
        ${of((text) => text.currency)}::text[], ${of((text) => text.check_at)}::timestamptz[])
      as w (id, state, provider_id, reason, error_code, settled_at, finalized_at, parts, cost, currency, check_at)
    where ${isOneOf('t', ids)} and t.id = w.id`.execute(trx);
}

export interface Returned {
  text: ProvenText;
  next_attempt_at: Date;
  due_since: Date;
}

/** Lets returned texts be sent again. */
export async function queueAgain(
  trx: Transaction<SmsDatabase>,
  returned: Returned[],
): Promise<void> {
  for (const { text, ...due } of returned)
    await trx
      .updateTable('texts')
      .set({ returned_ids: text.returned_ids, ...due, enqueued_at: null, checks: 0 })
      .where('id', '=', text.id)
      .where('local_date', '=', text.local_date)
      .execute();
}

export async function findLatestReceiptAt(db: Kysely<SmsDatabase>): Promise<Date | null> {
  const { rows } = await sql<{
    at: Date;
  }>`select received_at as at from receipts order by received_at desc limit 1`.execute(db);
  return rows[0]?.at ?? null;
}

/** Kept far longer than the provider repeats receipts. */
export const oldReceipts: Cleanup<SmsDatabase> = {
  table: 'receipts',
  column: 'received_at',
  keptMs: 60 * dayMs,
};
