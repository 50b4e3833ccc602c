import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { isStillFreeze, missedReason, sendingIsFrozen } from '../freeze/freeze.repository.ts';
import type { FreezeFacts, HeldText, RecipientFacts, TestingMode } from './decide-send.ts';
import { keyOf } from './text-ids.ts';
import type { TextState } from './text-states.ts';

/** A claimed text with everything that the send decision reads, as of one instant. */
export interface Held {
  text: HeldText &
    TextIdentity & { attempts: number; due_at: Date | null; traceparent: string | null };
  recipient: RecipientFacts | null;
  testing: TestingMode;
  freeze: FreezeFacts;
  /** Revisions of what was read; each grows with any change. */
  seen: { recipient_revision: number | null; testing_revision: number; freeze_revision: number };
  token: string;
}

/** The fields that events about a text contain. */
export interface TextIdentity {
  id: string;
  user_id: string | null;
  local_date: string;
  batch_id: string | null;
  scheduled_message_id: string | null;
  is_test: boolean;
}

interface HeldRow extends HeldText, TextIdentity {
  attempts: number;
  due_at: Date | null;
  traceparent: string | null;
  recipient_known: boolean | null;
  recipient_revision: number | null;
  recipient: Omit<RecipientFacts, 'opted_out' | 'entitled_until'> & {
    entitled_until: string | null;
  };
  opted_out: boolean;
  testing_enabled: boolean;
  test_phone: string | null;
  testing_revision: number;
  frozen: boolean;
  skipped_until: Date | null;
  freeze_revision: number;
}

/** A scheduled text needs data from accounts and billing; a transactional text from accounts only. */
const heldColumns = sql`held.id, held.kind, held.user_id, held.local_date, held.batch_id, held.scheduled_message_id,
  held.content, held.windows, held.slot, held.reply_to, held.pinned_hash, held.is_test, held.attempts, held.next_attempt_at, held.due_at, held.traceparent,
  r.deleted_at is not null or (r.version > 0 and (r.subscription_version > 0 or held.batch_id is null))
    as recipient_known,
  r.revision as recipient_revision,
  json_build_object('phone', r.phone, 'pending_phone', r.pending_phone, 'first_name', r.first_name, 'timezone', r.timezone,
    'delivery_hour', r.delivery_hour, 'frequency', r.frequency, 'weekday', r.weekday, 'is_active', r.is_active,
    'delivery_enabled', r.delivery_enabled, 'paused_until', r.paused_until, 'consent', r.consent,
    'entitled', r.entitled, 'entitled_until', r.entitled_until, 'deleted', r.deleted_at is not null) as recipient,
  coalesce(o.opted_out, false) as opted_out,
  exists (select 1 from recipients other where other.number_hash = held.pinned_hash and other.phone_proven
    and other.user_id <> held.user_id) as pin_is_taken,
  m.enabled as testing_enabled, m.test_phone, m.revision as testing_revision,
  f.frozen_at is not null and f.lifted_at is null as frozen, f.skipped_until, f.revision as freeze_revision`;

const heldJoins = sql`left join recipients r on r.user_id = held.user_id
  left join opt_outs o on o.number_hash = coalesce(held.pinned_hash,
    case when held.reply_to = r.pending_phone then r.pending_hash else r.number_hash end)
  cross join testing_mode m cross join sending_freeze f`;

/**
 * The first compare-and-set: one worker gets the text for the length of its lease. Returns null if another worker has
 * it, it isn't due, or sending is frozen or paused (unless this text is the probe). The state is compared in a form
 * that no index serves: with the statistics of a quiet hour the index of queued texts looks as cheap as the key, and
 * the whole queue would be read for each text.
 */
export async function claimText(
  db: Kysely<SmsDatabase>,
  id: string,
  claim: { token: string; leaseUntil: Date; now: Date; isProbe: boolean },
): Promise<Held | null> {
  const key = keyOf(id);
  return readHeldRow(
    db,
    claim.token,
    sql<HeldRow>`with held as (
      update texts set state = 'claimed', attempt_token = ${claim.token}, lease_until = ${claim.leaseUntil},
        attempts = attempts + 1
      where id = ${key.id} and local_date = ${key.local_date} and state || '' = 'queued'
        and next_attempt_at <= ${claim.now}
        and not ${sendingIsFrozen}
        and (${claim.isProbe} or not exists (select 1 from send_pause where paused_at is not null))
      returning *
    ) select ${heldColumns} from held ${heldJoins}`,
  );
}

/** Reads the same data again while the claim holds. */
export async function readClaimed(
  db: Kysely<SmsDatabase>,
  id: string,
  token: string,
): Promise<Held | null> {
  const key = keyOf(id);
  return readHeldRow(
    db,
    token,
    sql<HeldRow>`select ${heldColumns} from texts held ${heldJoins}
      where held.id = ${key.id} and held.local_date = ${key.local_date} and held.state = 'claimed'
        and held.attempt_token = ${token}`,
  );
}

async function readHeldRow(
  db: Kysely<SmsDatabase>,
  token: string,
  query: RawBuilder<HeldRow>,
): Promise<Held | null> {
  const row = (await query.execute(db)).rows[0];
  if (row === undefined) return null;
  const { recipient } = row;
  const entitledUntil = recipient.entitled_until;
  return {
    token,
    text: row,
    recipient: row.recipient_known
      ? {
          ...recipient,
          opted_out: row.opted_out,
          entitled_until: entitledUntil === null ? null : new Date(entitledUntil),
        }
      : null,
    testing: { enabled: row.testing_enabled, test_phone: row.test_phone },
    freeze: { frozen: row.frozen, skipped_until: row.skipped_until },
    seen: {
      recipient_revision: row.recipient_revision,
      testing_revision: row.testing_revision,
      freeze_revision: row.freeze_revision,
    },
  };
}

/**
 * The second compare-and-set: after it the text may have been sent, so it succeeds once per attempt, only while the
 * lease runs and nothing that the decision read has changed. Only `won` may send. Locks testing mode against a switch,
 * so each mark falls entirely before or after it. `day_used`: the index `texts_one_a_day` has another text for the
 * subscriber's date.
 */
export async function markInflight(
  db: Kysely<SmsDatabase>,
  held: Held,
  mark: { to: string; body: string; is_test: boolean; now: Date; wall: Date; leaseUntil: Date },
): Promise<'won' | 'lost' | 'day_used'> {
  const { text, seen, token } = held;
  try {
    const result = await sql`update texts t
      set state = 'inflight', lease_until = ${mark.leaseUntil}, to_number = ${mark.to}, body = ${mark.body},
        is_test = ${mark.is_test}, handed_at = ${mark.now}, reason = null, error_code = null
      where t.id = ${text.id} and t.local_date = ${text.local_date} and t.state = 'claimed'
        and t.attempt_token = ${token} and t.lease_until > ${mark.wall}
        and exists (select 1 from testing_mode m where m.revision = ${seen.testing_revision} for share)
        and ${isStillFreeze(seen.freeze_revision)}
        and (select r.revision from recipients r where r.user_id = t.user_id)
          is not distinct from ${seen.recipient_revision}
        and not exists (select 1 from opt_outs o where o.number_hash = t.pinned_hash and o.opted_out)
      returning t.id`.execute(db);
    return result.rows.length === 1 ? 'won' : 'lost';
  } catch (error) {
    if (isUniqueViolation(error)) return 'day_used';
    throw error;
  }
}

/** On the texts table this can only be `texts_one_a_day`, whose name differs by partition. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string }).code === '23505';
}

/** Returns a claimed text to the queue, due at `until`, or at its previous place if null. */
export async function releaseClaim(
  db: Kysely<SmsDatabase>,
  held: Held,
  until: Date | null,
): Promise<boolean> {
  const result = await db
    .updateTable('texts')
    .set((set) => ({
      state: 'queued',
      attempts: set('attempts', '-', 1),
      attempt_token: null,
      lease_until: null,
      ...(until === null ? {} : { next_attempt_at: until }),
      enqueued_at: null,
    }))
    .where('id', '=', held.text.id)
    .where('local_date', '=', held.text.local_date)
    .where('state', '=', 'claimed')
    .where('attempt_token', '=', held.token)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Ends a claimed text without sending it. Returns the recorded reason, or null if the claim is lost. */
export async function endClaimed(
  trx: Transaction<SmsDatabase>,
  held: Held,
  end: { state: TextState; reason: string; now: Date },
): Promise<string | null> {
  const row = await trx
    .updateTable('texts')
    .set({
      state: end.state,
      reason: end.reason === 'windows_closed' ? missedReason : end.reason,
      lease_until: null,
      settled_at: end.now,
    })
    .where('id', '=', held.text.id)
    .where('local_date', '=', held.text.local_date)
    .where('state', '=', 'claimed')
    .where('attempt_token', '=', held.token)
    .returning('reason')
    .executeTakeFirst();
  return row?.reason ?? null;
}
