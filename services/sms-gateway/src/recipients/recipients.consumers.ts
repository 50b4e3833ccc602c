import type { Clock } from '@daylift/clock/clock';
import type { Recipient } from '@daylift/contracts/accounts.events';
import type { SubscriptionState } from '@daylift/contracts/billing.events';
import { smsEvents } from '@daylift/contracts/sms.events';
import { eraseParked } from '@daylift/events/erase';
import { publish } from '@daylift/events/publish';
import { sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { NumberHash } from '../inbound/number-hash.ts';
import { tellOfNumber } from '../inbound/opt-outs.ts';
import { type OwnTextWords, queueFirstTexts } from '../welcome/first-texts.ts';

export interface RecipientDeps {
  clock: Clock;
  numberHash: NumberHash;
  words: OwnTextWords;
}

/** accounts' facts about a person; an older version that comes later changes nothing. */
export async function keepRecipient(
  trx: Transaction<SmsDatabase>,
  data: Recipient,
  deps: RecipientDeps,
): Promise<void> {
  const { user_id, version, registered_at: _, ...facts } = data;
  const numberHash = deps.numberHash(data.phone);
  const { number_hash: before, phone } = await lockNumber(trx, user_id);
  const values = { ...facts, version, number_hash: numberHash };
  const kept = await trx
    .insertInto('recipients')
    .values({ user_id, ...values, number_version: version })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({
          ...values,
          revision: sql`recipients.revision + 1`,
          number_version: sql`case when recipients.number_hash is distinct from ${numberHash} then ${version}
            else recipients.number_version end`,
          number_changed: sql`recipients.number_changed
            or (recipients.number_hash is not null and recipients.number_hash <> ${numberHash})`,
        })
        .where('recipients.version', '<', version)
        .where('recipients.deleted_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  if (kept === undefined) return;
  const now = deps.clock.now();
  if (before !== numberHash) {
    if (phone !== null) await keepRepliesOf(trx, phone, user_id);
    await tellOfNumber(trx, { user_id, before, after: numberHash, now });
  }
  await queueFirstTexts(trx, user_id, deps.words, now);
}

/** What they wrote from a number before we knew it for theirs is found by the number, and soon nobody knows that any more. */
async function keepRepliesOf(
  trx: Transaction<SmsDatabase>,
  phone: string,
  userId: string,
): Promise<void> {
  await trx
    .updateTable('inbound_texts')
    .set({ user_id: userId })
    .where('from_number', '=', phone)
    .where('user_id', 'is', null)
    .execute();
}

/** The number that is known of somebody, whose row then stays as it is. */
async function lockNumber(
  trx: Transaction<SmsDatabase>,
  userId: string,
): Promise<{ number_hash: string | null; phone: string | null }> {
  const row = await trx
    .selectFrom('recipients')
    .select(['number_hash', 'phone'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? { number_hash: null, phone: null };
}

/** billing's verdict on whether somebody may get texts. */
export async function keepEntitlement(
  trx: Transaction<SmsDatabase>,
  data: SubscriptionState,
  deps: RecipientDeps,
): Promise<void> {
  const values = {
    subscription_version: data.version,
    entitled: data.entitled,
    entitled_until: data.entitled_until === null ? null : new Date(data.entitled_until),
  };
  const kept = await trx
    .insertInto('recipients')
    .values({ user_id: data.user_id, ...values })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ ...values, revision: sql`recipients.revision + 1` })
        .where('recipients.subscription_version', '<', data.version)
        .where('recipients.deleted_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  if (kept !== undefined) await queueFirstTexts(trx, data.user_id, deps.words, deps.clock.now());
}

/** What is left of somebody: an id without a meaning, to which no late fact gives one again. */
const nobody = {
  phone: null,
  number_hash: null,
  first_name: '',
  timezone: null,
  delivery_hour: null,
  frequency: null,
  weekday: null,
  is_active: false,
  delivery_enabled: false,
  paused_until: null,
  consent: 'revoked' as const,
  entitled: false,
  entitled_until: null,
};

/**
 * Takes the person out of every row, also when nothing else was known yet. What is with a worker at this moment keeps its
 * number until it is settled; the loop `erase-deleted` comes for it.
 */
export async function eraseRecipient(
  trx: Transaction<SmsDatabase>,
  userId: string,
  now: Date,
): Promise<void> {
  // Before the number is forgotten: what they wrote from it as strangers to us, such as before they signed up.
  const { rows } = await sql<{ id: string; user_id: string | null }>`delete from inbound_texts
    where user_id = ${userId}
      or (user_id is null and from_number = (select phone from recipients where user_id = ${userId}))
    returning id, user_id`.execute(trx);
  // Also of those that were filed under a person later: the inbox may have them as a stranger's.
  const inbound_ids = rows.map(({ id }) => id);
  if (inbound_ids.length > 0)
    await publish(trx, smsEvents, 'sms.replies.erased', { inbound_ids }, now);
  const nothing = { ...nobody, deleted_at: now };
  await trx
    .insertInto('recipients')
    .values({ user_id: userId, ...nothing })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ ...nothing, revision: sql`recipients.revision + 1` }),
    )
    .execute();
  await eraseTexts(trx, sql`user_id = ${userId}`);
  await eraseParked(trx, userId);
}

const recentMs = 7 * 24 * 3_600_000;

export async function eraseTextsOfDeleted(
  trx: Transaction<SmsDatabase>,
  now: Date,
): Promise<number> {
  const since = new Date(now.getTime() - recentMs);
  return eraseTexts(
    trx,
    sql`user_id in (select user_id from recipients where deleted_at > ${since})`,
  );
}

async function eraseTexts(
  trx: Transaction<SmsDatabase>,
  ofWhom: ReturnType<typeof sql<unknown>>,
): Promise<number> {
  // What staff wrote for all stays; our own words tell what one person did.
  const erased =
    await sql`update texts set body = null, to_number = null, reply_to = null, slot = null,
      content = case when kind in ('daily', 'announcement') then content else '' end
    where ${ofWhom} and state not in ('claimed', 'inflight')
      and (body is not null or to_number is not null or reply_to is not null or slot is not null
        or (content <> '' and kind not in ('daily', 'announcement')))`.execute(trx);
  return Number(erased.numAffectedRows ?? 0n);
}
