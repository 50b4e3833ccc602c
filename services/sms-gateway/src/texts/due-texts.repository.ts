import { isInMonthsOf } from '@daylift/database/partitions';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import {
  isAbandoned,
  isStillFreeze,
  missedReason,
  sendingIsFrozen,
} from '../freeze/freeze.repository.ts';
import { isInactive, isReachedLate } from '../reachability/reachability.repository.ts';
import type { HeldText, RecipientFacts, TestingMode } from './decide-send.ts';
import { keyOf } from './text-ids.ts';
import type { TextState } from './text-states.ts';

/** The fields that events about a text contain. */
export interface TextIdentity {
  id: string;
  user_id: string | null;
  local_date: string;
  batch_id: string | null;
  scheduled_message_id: string | null;
  is_test: boolean;
}

/** A due text with everything that the send decision reads, as of one instant. */
export interface DueText {
  text: HeldText &
    TextIdentity & {
      attempts: number;
      traceparent: string | null;
      /** The number of the first attempt, or the one that a reply was sent to. */
      sender: string | null;
      /** What the last attempt sent, and where. */
      to_number: string | null;
      body: string | null;
      /** Whether its acceptance has to be noted with the recipient. */
      notes_reached: boolean;
    };
  recipient: RecipientFacts | null;
  /** The number that the recipient is texted from; see `senders`. */
  recipient_sender: string | null;
  testing: TestingMode;
  /** By the lift of a freeze. */
  is_abandoned: boolean;
  /** The rest of its batch is held until then; null if it isn't. */
  batch_held_until: Date | null;
  batch_canceled: boolean;
  /** Revisions of what was read; each grows with any change. */
  seen: { recipient_revision: number | null; testing_revision: number; freeze_revision: number };
}

type DueRow = DueText['text'] &
  DueText['seen'] & {
    recipient_known: boolean | null;
    recipient_sender: string | null;
    recipient: Omit<RecipientFacts, 'opted_out' | 'entitled_until'> & {
      entitled_until: string | null;
    };
    opted_out: boolean;
    testing_enabled: boolean;
    test_phone: string | null;
    is_abandoned: boolean;
    batch_held_until: Date | null;
    batch_canceled: boolean;
  };

/** SQL: the row's key is one of these ids. Compares the date too, so only the partitions named by the ids are read. */
export function isOneOf(alias: string, ids: string[]): RawBuilder<boolean> {
  const dates = [...new Set(ids.map((id) => keyOf(id).local_date))];
  const [id, date] = [sql.ref(`${alias}.id`), sql.ref<string>(`${alias}.local_date`)];
  return sql<boolean>`(${id} = any(${ids}) and ${date} = any(${dates}::date[]) and ${isInMonthsOf(date, dates)})`;
}

/**
 * SQL: the date of a text in the form that the indexes of the delivery log have. They don't serve the plain column: on a
 * date without statistics the planner takes them for as good as the key, and would read all texts of the day for each
 * text.
 */
export const logDay = sql<string>`(texts.local_date + 0)`;

/**
 * SQL: the text is queued. Compared in a form that no index serves: with the statistics of a quiet hour the index of
 * queued texts looks as cheap as the key, and the whole queue would be read.
 */
const isQueued = sql<boolean>`t.state || '' = 'queued'`;

/** SQL: the outcome is unknown, so the text may only be sent again as it was, with the same idempotency key. */
const isUnclear = sql<boolean>`t.state || '' = 'unknown'`;

const mayStart = (isProbe: boolean) => sql<boolean>`(not ${sendingIsFrozen}
  and (${isProbe} or not exists (select 1 from send_pause where paused_at is not null)))`;

interface Selection {
  now: Date;
  isProbe: boolean;
  /** Selects texts with an unknown outcome instead of queued ones that are due. */
  isRepeat?: boolean;
}

/** A repeat can't be lost, so it doesn't wait for the provider to recover. */
const isSelected = ({ now, isProbe, isRepeat }: Selection) =>
  isRepeat
    ? sql<boolean>`${isUnclear} and not ${sendingIsFrozen}`
    : sql<boolean>`${isQueued} and t.next_attempt_at <= ${now} and ${mayStart(isProbe)}`;

/**
 * Reads those of the texts that are queued and due; none while sending is frozen, or paused unless this is the probe.
 * A scheduled text needs data from accounts and billing; a transactional text from accounts only.
 */
export async function readDueTexts(
  db: Kysely<SmsDatabase>,
  ids: string[],
  selection: Selection,
): Promise<DueText[]> {
  const { rows } = await sql<DueRow>`select
      t.id, t.kind, t.user_id, t.local_date, t.batch_id, t.scheduled_message_id, t.content, t.windows, t.slot,
      t.reply_to, t.pinned_hash, t.is_test, t.attempts, coalesce(cardinality(t.returned_ids), 0) as returned, t.due_at, t.traceparent, t.sender, t.to_number, t.body,
      r.sender as recipient_sender,
      r.deleted_at is not null or (r.version > 0 and (r.subscription_version > 0 or t.batch_id is null))
        as recipient_known,
      r.revision as recipient_revision,
      json_build_object('phone', r.phone, 'pending_phone', r.pending_phone, 'first_name', r.first_name,
        'timezone', r.timezone, 'delivery_hour', r.delivery_hour, 'frequency', r.frequency, 'weekday', r.weekday,
        'is_active', r.is_active, 'delivery_enabled', r.delivery_enabled, 'paused_until', r.paused_until,
        'consent', r.consent, 'number_inactive', t.batch_id is not null and ${isInactive(selection.now)}, 'entitled', r.entitled, 'entitled_until', r.entitled_until,
        'deleted', r.deleted_at is not null) as recipient,
      coalesce(o.opted_out, false) as opted_out, r.user_id is not null and t.batch_id is not null and ${isReachedLate(selection.now)} as notes_reached,
      t.pinned_hash is not null and exists (select 1 from recipients other where other.number_hash = t.pinned_hash
        and other.phone_proven and other.user_id <> t.user_id) as pin_is_taken,
      m.enabled as testing_enabled, m.test_phone, m.revision as testing_revision,
      coalesce(${isAbandoned('t')}, false) as is_abandoned, f.revision as freeze_revision,
      case when b.stopped_at is not null and not (b.stop_code = 'canary' and t.id = any(b.canary_ids))
        then coalesce(b.resumes_at, t.deadline_at) end as batch_held_until,
      coalesce(b.stop_code = 'canceled', false) as batch_canceled
    from texts t
      left join recipients r on r.user_id = t.user_id
      left join batches b on b.id = t.batch_id
      left join opt_outs o on o.number_hash = coalesce(t.pinned_hash,
        case when t.reply_to = r.pending_phone then r.pending_hash else r.number_hash end)
      cross join testing_mode m cross join sending_freeze f
    where ${isOneOf('t', ids)} and ${isSelected(selection)}`.execute(db);
  return rows.map(fromRow);
}

function fromRow(row: DueRow): DueText {
  const { recipient, opted_out, recipient_revision, testing_revision, freeze_revision } = row;
  const { entitled_until } = recipient;
  return {
    text: row,
    recipient: row.recipient_known
      ? {
          ...recipient,
          opted_out,
          entitled_until: entitled_until === null ? null : new Date(entitled_until),
        }
      : null,
    recipient_sender: row.recipient_sender,
    testing: { enabled: row.testing_enabled, test_phone: row.test_phone },
    is_abandoned: row.is_abandoned,
    batch_held_until: row.batch_held_until,
    batch_canceled: row.batch_canceled,
    seen: { recipient_revision, testing_revision, freeze_revision },
  };
}

/** A text with its destination and words, to be marked. */
export interface Mark {
  due: DueText;
  from: string;
  to: string;
  body: string;
  is_test: boolean;
}

/**
 * The compare-and-set before the provider calls: marks texts `inflight` and returns the ids of those it won. Only these
 * may be sent, once. A text is lost if it is no longer selected, or if anything that its decision read has
 * changed. The texts must come from one read. Locks testing mode against a switch, so each mark falls entirely before or
 * after it. Throws a unique violation if the index `texts_one_a_day` has another text for a subscriber's date.
 */
export async function markInflight(
  db: Kysely<SmsDatabase>,
  marks: Mark[],
  { token, leaseUntil, ...selection }: Selection & { token: string; leaseUntil: Date },
): Promise<Set<string>> {
  const of = <T>(read: (mark: Mark) => T) => marks.map(read);
  const ids = of(({ due }) => due.text.id);
  const { now, isRepeat } = selection;
  const { testing_revision, freeze_revision } = marks[0]!.due.seen;
  const { rows } = await sql<{ id: string }>`
    with wanted as (
      select t.id, t.local_date, w.sender, w.to_number, w.body, w.is_test
      from texts t join unnest(${ids}::text[], ${of(({ from }) => from)}::text[], ${of(({ to }) => to)}::text[], ${of(({ body }) => body)}::text[],
          ${of(({ is_test }) => is_test)}::boolean[], ${of(({ due }) => due.seen.recipient_revision)}::integer[])
        as w (id, sender, to_number, body, is_test, recipient_revision) using (id)
      where ${isOneOf('t', ids)} and ${isSelected(selection)}
        and exists (select 1 from testing_mode m where m.revision = ${testing_revision} for share)
        and ${isStillFreeze(freeze_revision)}
        and (select r.revision from recipients r where r.user_id = t.user_id)
          is not distinct from w.recipient_revision
        and exists (select 1 from senders s where s.number = w.sender and s.state <> 'paused')
        and not exists (select 1 from opt_outs o where o.number_hash = t.pinned_hash and o.opted_out)
      order by t.id for update of t
    )
    update texts t set state = 'inflight', attempt_token = ${token}, lease_until = ${leaseUntil},
      attempts = t.attempts + 1, sender = w.sender, to_number = w.to_number, body = w.body, is_test = w.is_test,
      handed_at = ${isRepeat ? sql`t.handed_at` : now}, check_at = null, reason = null, error_code = null
    from wanted w where ${isOneOf('t', ids)} and t.id = w.id and t.local_date = w.local_date
      and ${isRepeat ? isUnclear : isQueued}
    returning t.id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** On the texts table this can only be `texts_one_a_day`. Its name differs by partition. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string }).code === '23505';
}

export interface Wait {
  id: string;
  until: Date | null;
  /** The text isn't due before then. */
  forWindow?: true;
}

/**
 * Makes queued texts due at their `until`, or leaves their place if it is null. Their jobs are added again. Leaves out
 * abandoned texts: a decision from before the freeze must not save one.
 */
export async function postponeTexts(db: Kysely<SmsDatabase>, waits: Wait[]): Promise<void> {
  if (waits.length === 0) return;
  const ids = waits.map(({ id }) => id);
  const untils = waits.map(({ until }) => until);
  const opens = waits.map(({ until, forWindow }) => (forWindow ? until : null));
  await sql`update texts t set enqueued_at = null, next_attempt_at = coalesce(w.until, t.next_attempt_at),
      due_since = coalesce(w.opens, t.due_since)
    from unnest(${ids}::text[], ${untils}::timestamptz[], ${opens}::timestamptz[]) as w (id, until, opens)
    where ${isOneOf('t', ids)} and t.id = w.id and ${isQueued}
      and ${isAbandoned('t')} is not true`.execute(db);
}

/** Lets jobs be added again for those of the texts that are still queued, because theirs are consumed. */
export function requeueTexts(db: Kysely<SmsDatabase>, ids: string[]): Promise<void> {
  return postponeTexts(
    db,
    ids.map((id) => ({ id, until: null })),
  );
}

/**
 * Keeps queued texts from counting as lost before `until` of wall time. A renewal leaves out requeued texts.
 * Skips locked texts: they are being marked or ended.
 */
export async function holdTexts(
  db: Kysely<SmsDatabase>,
  ids: string[],
  { until, isRenewal }: { until: Date; isRenewal: boolean },
): Promise<void> {
  if (ids.length === 0) return;
  await sql`with held as (
      select t.id, t.local_date from texts t
      where ${isOneOf('t', ids)} and ${isQueued} and (t.enqueued_at is not null or not ${isRenewal})
      order by t.id for update skip locked
    )
    update texts t set enqueued_at = ${until}
    from held where ${isOneOf('t', ids)} and t.id = held.id and t.local_date = held.local_date`.execute(
    db,
  );
}

/** Ends queued texts without sending them. Returns those that were still queued, with the recorded reason. */
export async function endQueued(
  trx: Transaction<SmsDatabase>,
  ends: { id: string; state: TextState; reason: string }[],
  now: Date,
): Promise<{ id: string; reason: string }[]> {
  const ids = ends.map(({ id }) => id);
  const { rows } = await sql<{ id: string; reason: string }>`
    with ended as (
      select t.id, t.local_date, w.state, w.reason
      from texts t join unnest(${ids}::text[], ${ends.map(({ state }) => state)}::text[],
        ${ends.map(({ reason }) => reason)}::text[]) as w (id, state, reason) using (id)
      where ${isOneOf('t', ids)} and ${isQueued} order by t.id for update of t
    )
    update texts set state = ended.state, settled_at = ${now},
      reason = case when ended.reason = 'windows_closed' then ${missedReason} else ended.reason end
    from ended where ${isOneOf('texts', ids)} and texts.id = ended.id and texts.local_date = ended.local_date
    returning texts.id, texts.reason`.execute(trx);
  return rows;
}
