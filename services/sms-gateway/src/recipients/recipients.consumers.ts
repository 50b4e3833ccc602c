import { dayMs } from '@daylift/clock/durations';
import type { Recipient } from '@daylift/contracts/accounts.events';
import type { SubscriptionState } from '@daylift/contracts/billing.events';
import { smsEvents } from '@daylift/contracts/sms.events';
import { eraseParked } from '@daylift/events/erase';
import { publish } from '@daylift/events/publish';
import { sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { NumberHash } from '../inbound/number-hash.ts';
import { publishOptOutState } from '../inbound/opt-outs.ts';
import type { FirstTextDeps } from '../welcome/consent-requests.ts';
import { queueFirstTexts } from '../welcome/first-texts.ts';

export interface RecipientDeps extends FirstTextDeps {
  numberHash: NumberHash;
}

/** Stores a user's data from accounts. A late older version changes nothing. */
export async function saveRecipient(
  trx: Transaction<SmsDatabase>,
  data: Recipient,
  deps: RecipientDeps,
): Promise<void> {
  const { user_id, version, phone_proven = true, pending_phone, reply_setting_at, ...rest } = data;
  const { registered_at: _, ...facts } = rest;
  const hashOf = (phone: string | null) => (phone === null ? null : deps.numberHash(phone));
  const numberHash = hashOf(data.phone);
  const pendingHash = hashOf(pending_phone ?? null);
  const before = await lockNumber(trx, user_id);
  const must_confirm =
    !phone_proven &&
    numberHash !== null &&
    (before.number_hash === numberHash
      ? before.must_confirm
      : await isHeldByAnother(trx, user_id, numberHash));
  const values = {
    ...facts,
    version,
    consent: must_confirm && data.consent === 'granted' ? ('pending' as const) : data.consent,
    number_hash: numberHash,
    phone_proven,
    pending_phone: pending_phone ?? null,
    pending_hash: pendingHash,
    must_confirm,
  };
  const kept = await trx
    .insertInto('recipients')
    .values({ user_id, ...values, number_version: version })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({
          ...values,
          revision: sql`recipients.revision + 1`,
          paused_until: sql`case when recipients.reply_setting_at > coalesce(${reply_setting_at ?? null}::timestamptz, '-infinity')
            then recipients.paused_until else ${data.paused_until}::date end`,
          number_version: sql`case when recipients.number_hash is distinct from ${numberHash}
            or recipients.pending_hash is distinct from ${pendingHash} then ${version} else recipients.number_version end`,
          number_changed: sql`recipients.number_changed
            or coalesce(recipients.number_hash <> ${numberHash}, false)`,
        })
        .where('recipients.version', '<', version)
        .where('recipients.deleted_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  if (kept === undefined) return;
  const now = deps.clock.now();
  if (before.number_hash !== numberHash && before.phone !== null && before.phone_proven)
    await assignReplies(trx, before.phone, user_id);
  await publishOptOut(trx, user_id, before, now);
  await queueFirstTexts(trx, user_id, deps);
}

/**
 * Applies a PAUSE in the transaction that receives it, so nothing is sent from its commit on. Accounts decides later and
 * publishes the same date; until then its data doesn't count.
 */
export async function pauseAtOnce(
  trx: Transaction<SmsDatabase>,
  { user_id, timezone }: { user_id: string; timezone: string | null },
  days: number,
  at: Date,
): Promise<void> {
  if (timezone === null) return;
  const today = at.toTemporalInstant().toZonedDateTimeISO(timezone).toPlainDate();
  await trx
    .updateTable('recipients')
    .set({
      paused_until: today.add({ days }).toString(),
      reply_setting_at: at,
      revision: sql`revision + 1`,
    })
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .execute();
}

/** A first subscription claims the number for good; a second one with the same unproven number waits for its proof. */
async function confirmSecondClaim(
  trx: Transaction<SmsDatabase>,
  userId: string,
  { number_hash, phone_proven, subscription_version }: KnownNumber,
): Promise<void> {
  if (number_hash === null || phone_proven || subscription_version > 0) return;
  if (!(await isHeldByAnother(trx, userId, number_hash))) return;
  await trx
    .updateTable('recipients')
    .set({
      must_confirm: true,
      consent: sql`case consent when 'granted' then 'pending' else consent end`,
    })
    .where('user_id', '=', userId)
    .execute();
}

/** Returns whether another subscriber holds the number. Serializes claims on one number. */
async function isHeldByAnother(
  trx: Transaction<SmsDatabase>,
  userId: string,
  numberHash: string,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${numberHash}, 0))`.execute(trx);
  const other = await trx
    .selectFrom('recipients')
    .select('user_id')
    .where('number_hash', '=', numberHash)
    .where('user_id', '<>', userId)
    .where('subscription_version', '>', 0)
    .executeTakeFirst();
  return other !== undefined;
}

type KnownNumber = Awaited<ReturnType<typeof lockNumber>>;

/** A signup that has neither paid nor proven its number must not learn about the number's STOP. */
const ownNumberHash = ({ number_hash, phone_proven, subscription_version }: KnownNumber) =>
  phone_proven || subscription_version > 0 ? number_hash : null;

async function publishOptOut(
  trx: Transaction<SmsDatabase>,
  userId: string,
  known: KnownNumber,
  now: Date,
): Promise<void> {
  const before = ownNumberHash(known);
  const after = ownNumberHash(await lockNumber(trx, userId));
  if (after !== null && after !== before)
    await publishOptOutState(trx, { user_id: userId, before, after, now });
}

/** Replies from the number before it was theirs are found by its hash, which is lost after the next change. */
async function assignReplies(
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

/** Locks the recipient and returns the number known so far. */
async function lockNumber(trx: Transaction<SmsDatabase>, userId: string) {
  const row = await trx
    .selectFrom('recipients')
    .select(['number_hash', 'phone', 'phone_proven', 'must_confirm', 'subscription_version'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return (
    row ?? {
      number_hash: null,
      phone: null,
      phone_proven: false,
      must_confirm: false,
      subscription_version: 0,
    }
  );
}

/** Stores billing's decision whether a subscriber may get texts. */
export async function saveEntitlement(
  trx: Transaction<SmsDatabase>,
  data: SubscriptionState,
  deps: RecipientDeps,
): Promise<void> {
  const before = await lockNumber(trx, data.user_id);
  await confirmSecondClaim(trx, data.user_id, before);
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
  if (kept === undefined) return;
  await publishOptOut(trx, data.user_id, before, deps.clock.now());
  await queueFirstTexts(trx, data.user_id, deps);
}

/** What remains of a deleted person: an id that late events can't fill again. */
const nobody = {
  phone: null,
  number_hash: null,
  pending_phone: null,
  pending_hash: null,
  first_name: '',
  timezone: null,
  delivery_hour: null,
  frequency: null,
  weekday: null,
  is_active: false,
  delivery_enabled: false,
  paused_until: null,
  reply_setting_at: null,
  consent: 'revoked' as const,
  entitled: false,
  entitled_until: null,
};

/**
 * Removes a person's data from every row, even if nothing else was known yet. A text that a worker holds keeps its
 * number until it settles; the loop `erase-deleted` removes it then.
 */
export async function eraseRecipient(
  trx: Transaction<SmsDatabase>,
  userId: string,
  now: Date,
): Promise<void> {
  // Includes earlier messages from a number that the person has proven.
  const { rows } = await sql<{ id: string; user_id: string | null }>`delete from inbound_texts
    where user_id = ${userId}
      or (user_id is null and from_number = 
        (select phone from recipients where user_id = ${userId} and phone_proven))
    returning id, user_id`.execute(trx);
  // Includes messages assigned to the person later; the inbox may show them as a stranger's.
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

const recentMs = 7 * dayMs;

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
  // A message written for everyone stays; a transactional text reveals what one person did.
  const erased =
    await sql`update texts set body = null, to_number = null, reply_to = null, pinned_hash = null, slot = null,
      content = case when kind in ('daily', 'announcement') then content else '' end
    where ${ofWhom} and state not in ('claimed', 'inflight')
      and (body is not null or to_number is not null or reply_to is not null or slot is not null
        or (content <> '' and kind not in ('daily', 'announcement')))`.execute(trx);
  return Number(erased.numAffectedRows ?? 0n);
}
