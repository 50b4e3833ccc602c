import { minuteMs } from '@daylift/clock/durations';
import { inIndexOrder } from '@daylift/database/index-order';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { localDateOf } from '../texts/text-ids.ts';
import { lockText, type Text, type TextKey } from '../texts/texts.repository.ts';
import type { Evidence, ProviderEvent } from './receipt.ts';

const firstPauseMs = 15 * minuteMs;

/** Returns whether it is the first of its kind. */
export async function insertReceipt(
  trx: Transaction<SmsDatabase>,
  receipt: { event: ProviderEvent; evidence: Evidence; textId: string | null; now: Date },
): Promise<boolean> {
  const { event, evidence, textId, now } = receipt;
  const fresh = await trx
    .insertInto('receipts')
    .values({
      event_id: event.id,
      event_type: event.event_type,
      provider_id: evidence.provider_id,
      text_id: textId,
      status: evidence.status,
      error_code: evidence.error_code,
      parts: evidence.parts,
      cost: evidence.cost,
      currency: evidence.currency,
      occurred_at: new Date(event.occurred_at),
      received_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('event_id')
    .executeTakeFirst();
  return fresh !== undefined;
}

/**
 * Locks the text of a receipt. The id in the URL is only a hint: the provider's id, or the number while that is unknown,
 * must match.
 */
export async function lockTextOf(
  trx: Transaction<SmsDatabase>,
  { hint, providerId, to }: { hint: string; providerId: string; to: string | null },
): Promise<Text | null> {
  const localDate = localDateOf(hint);
  if (localDate !== null) {
    const text = await lockText(trx, { id: hint, local_date: localDate });
    if (text?.provider_id === providerId) return text;
    if (text?.provider_id === null && text.to_number !== null && text.to_number === to) return text;
  }
  const byProvider = await trx
    .selectFrom('texts')
    .selectAll()
    .where('provider_id', '=', providerId)
    .forUpdate()
    .executeTakeFirst();
  return byProvider ?? null;
}

/** Returns when the next lookup is due. */
export async function nextCheckAt(db: Kysely<SmsDatabase>, now: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('texts')
    .select((select) => select.fn.min('check_at').as('at'))
    .where('check_at', '>', now)
    .executeTakeFirst();
  return row?.at ?? null;
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
  return inIndexOrder(db, (trx) =>
    trx
      .updateTable('texts')
      .set({
        checks: sql`checks + 1`,
        check_at: sql`${now}::timestamptz + least(power(2, checks), 96) * ${firstPauseMs / 1_000} * interval '1 second'`,
      })
      .where(
        sql<boolean>`(id, local_date) in (select id, local_date from texts where check_at <= ${now}
        order by check_at limit ${limit} for update skip locked)`,
      )
      .returningAll()
      .execute(),
  );
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

/** Stores what is proven about a text. The highest cost counts, so the order of final receipts doesn't matter. */
export async function storeEvidence(
  trx: Transaction<SmsDatabase>,
  key: TextKey,
  proven: Pick<
    Text,
    | 'state'
    | 'provider_id'
    | 'reason'
    | 'error_code'
    | 'settled_at'
    | 'finalized_at'
    | 'parts'
    | 'cost'
    | 'currency'
    | 'check_at'
  >,
): Promise<void> {
  await trx
    .updateTable('texts')
    .set({ ...proven, cost: sql`greatest(cost, ${proven.cost})`, lease_until: null })
    .where('id', '=', key.id)
    .where('local_date', '=', key.local_date)
    .execute();
}

export async function findLatestReceiptAt(db: Kysely<SmsDatabase>): Promise<Date | null> {
  const { rows } = await sql<{
    at: Date;
  }>`select received_at as at from receipts order by received_at desc limit 1`.execute(db);
  return rows[0]?.at ?? null;
}

export async function deleteOldReceipts(db: Kysely<SmsDatabase>, before: Date): Promise<void> {
  await db.deleteFrom('receipts').where('received_at', '<', before).execute();
}
