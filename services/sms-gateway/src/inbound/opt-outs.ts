import { smsEvents } from '@daylift/contracts/sms.events';
import { publish } from '@daylift/events/publish';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { OptOutsTable } from '../recipients/recipients.table.ts';

interface Change {
  numberHash: string;
  /** When the person said so. */
  at: Date;
  source: OptOutsTable['source'];
  now: Date;
}

/**
 * From this commit on nothing goes to the number: every send checks it in the statement that marks the text `inflight`,
 * by the recipient's revision. Only START from the phone itself lifts it. Returns whether the number could be texted before.
 */
export async function recordOptOut(
  trx: Transaction<SmsDatabase>,
  change: Change,
): Promise<boolean> {
  const written = await write(trx, change, true);
  if (written === null) return false;
  for (const { user_id } of await touchRecipients(trx, change.numberHash)) {
    await publish(
      trx,
      smsEvents,
      'sms.recipient.opted_out',
      { user_id, at: written.at.toISOString(), source: change.source },
      change.now,
    );
  }
  return written.changed;
}

export async function recordOptIn(
  trx: Transaction<SmsDatabase>,
  change: Omit<Change, 'source'>,
): Promise<void> {
  const written = await write(trx, { ...change, source: 'keyword' }, false);
  if (written === null) return;
  for (const { user_id } of await touchRecipients(trx, change.numberHash)) {
    await publish(
      trx,
      smsEvents,
      'sms.recipient.opted_in',
      { user_id, at: written.at.toISOString() },
      change.now,
    );
  }
}

/**
 * STOP holds for a number, and others keep it by person: they learn when somebody's number changes to one of which the
 * list says otherwise. Without this a person who stopped the old number would stay stopped for ever, as START from the
 * new one is no news.
 */
export async function tellOfNumber(
  trx: Transaction<SmsDatabase>,
  {
    user_id,
    before,
    after,
    now,
  }: { user_id: string; before: string | null; after: string; now: Date },
): Promise<void> {
  const opted_out = await isOptedOut(trx, after);
  if (opted_out === (before !== null && (await isOptedOut(trx, before)))) return;
  await publish(
    trx,
    smsEvents,
    'sms.recipient.number_changed',
    { user_id, opted_out, at: now.toISOString() },
    now,
  );
}

export async function isOptedOut(db: Kysely<SmsDatabase>, numberHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('opt_outs')
    .select('opted_out')
    .where('number_hash', '=', numberHash)
    .executeTakeFirst();
  return row?.opted_out ?? false;
}

/**
 * Returns null if the number has said something later: texts can overtake each other. The row is inserted before it is
 * locked, because two transactions that both find no row would not wait for each other. Consumers keep the latest `at`, so
 * a reply of the same millisecond is dated after the one it reverses.
 */
async function write(
  trx: Transaction<SmsDatabase>,
  { numberHash, at, source }: Change,
  optedOut: boolean,
): Promise<{ at: Date; changed: boolean } | null> {
  await trx
    .insertInto('opt_outs')
    .values({ number_hash: numberHash, opted_out: false, changed_at: new Date(0), source })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const before = await trx
    .selectFrom('opt_outs')
    .select(['opted_out', 'changed_at'])
    .where('number_hash', '=', numberHash)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (at < before.changed_at) return null;
  const changed = before.opted_out !== optedOut;
  const isTied = changed && at.getTime() === before.changed_at.getTime();
  const changedAt = isTied ? new Date(at.getTime() + 1) : at;
  await trx
    .updateTable('opt_outs')
    .set({ opted_out: optedOut, changed_at: changedAt, source })
    .where('number_hash', '=', numberHash)
    .execute();
  return { at: changedAt, changed };
}

/** Returns the recipients who have paid for texts to the number or proven it; others may only have typed it in. */
async function touchRecipients(
  trx: Transaction<SmsDatabase>,
  numberHash: string,
): Promise<{ user_id: string }[]> {
  const touched = await trx
    .updateTable('recipients')
    .set({ revision: sql`revision + 1` })
    .where((where) =>
      where.or([where('number_hash', '=', numberHash), where('pending_hash', '=', numberHash)]),
    )
    .returning(['user_id', 'number_hash', 'phone_proven', 'subscription_version'])
    .execute();
  return touched.filter(
    (one) => one.number_hash === numberHash && (one.phone_proven || one.subscription_version > 0),
  );
}
