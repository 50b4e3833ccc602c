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
 * by the recipient's revision. Only START from the phone itself lifts it.
 */
export async function recordOptOut(trx: Transaction<SmsDatabase>, change: Change): Promise<void> {
  if (!(await write(trx, change, true))) return;
  for (const { user_id } of await touchRecipients(trx, change.numberHash)) {
    await publish(
      trx,
      smsEvents,
      'sms.recipient.opted_out',
      { user_id, at: change.at.toISOString(), source: change.source },
      change.now,
    );
  }
}

export async function recordOptIn(
  trx: Transaction<SmsDatabase>,
  change: Omit<Change, 'source'>,
): Promise<void> {
  if (!(await write(trx, { ...change, source: 'keyword' }, false))) return;
  for (const { user_id } of await touchRecipients(trx, change.numberHash)) {
    await publish(
      trx,
      smsEvents,
      'sms.recipient.opted_in',
      { user_id, at: change.at.toISOString() },
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

/** True when it is news: texts can overtake each other, so the later word of the person counts, not the later arrival. */
async function write(
  trx: Transaction<SmsDatabase>,
  { numberHash, at, source }: Change,
  optedOut: boolean,
): Promise<boolean> {
  const before = await trx
    .selectFrom('opt_outs')
    .select('opted_out')
    .where('number_hash', '=', numberHash)
    .forUpdate()
    .executeTakeFirst();
  const written = await trx
    .insertInto('opt_outs')
    .values({ number_hash: numberHash, opted_out: optedOut, changed_at: at, source })
    .onConflict((conflict) =>
      conflict
        .column('number_hash')
        .doUpdateSet({ opted_out: optedOut, changed_at: at, source })
        .where('opt_outs.changed_at', '<=', at),
    )
    .returning('number_hash')
    .executeTakeFirst();
  return written !== undefined && (before?.opted_out ?? false) !== optedOut;
}

async function touchRecipients(
  trx: Transaction<SmsDatabase>,
  numberHash: string,
): Promise<{ user_id: string }[]> {
  return trx
    .updateTable('recipients')
    .set({ revision: sql`revision + 1` })
    .where('number_hash', '=', numberHash)
    .returning('user_id')
    .execute();
}
