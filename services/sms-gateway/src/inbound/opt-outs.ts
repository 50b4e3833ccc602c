import { smsEvents } from '@daylift/contracts/sms.events';
import { publish } from '@daylift/events/publish';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { OptOutsTable } from '../recipients/recipients.table.ts';

interface Change {
  numberHash: string;
  /** When the person replied. */
  at: Date;
  source: OptOutsTable['source'];
  now: Date;
}

/**
 * Opts a number out. From this commit on nothing is sent to it: the statement that marks a text `inflight` checks the
 * recipient's revision. Only START from the phone lifts it. Returns whether the number could be texted before.
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
 * Publishes the opt-out state of a changed number. Other services store it per person, and would otherwise keep a
 * subscriber who stopped the old number stopped for good, since START from the new number changes nothing.
 */
export async function publishOptOutState(
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
 * Returns null if the number has a later reply, because replies can arrive out of order. Inserts before locking,
 * because two transactions that both find no row wouldn't wait for each other. Consumers keep the latest `at`, so a
 * reply of the same millisecond is dated after the one it reverses.
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

/** Returns recipients who have paid for texts to the number or proven it; others may only have typed it in. */
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
