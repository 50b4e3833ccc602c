import { inIndexOrder } from '@daylift/database/index-order';
import { isRecent } from '@daylift/database/partitions';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { dueSince, isAbandoned, missedReason } from '../freeze/freeze.repository.ts';
import { isOneOf, type TextIdentity } from './due-texts.repository.ts';
import type { TextState } from './text-states.ts';
import type { TextKind } from './texts.table.ts';

type Trx = Transaction<SmsDatabase>;
type SettledText = TextIdentity & { kind: TextKind };
export type EndedText = SettledText & { state: TextState; reason: string | null };

const settledColumns = [
  'id',
  'kind',
  'user_id',
  'local_date',
  'batch_id',
  'scheduled_message_id',
  'is_test',
] as const;

/** How an attempt ended. With `next_attempt_at` the text is due again then. */
export interface AttemptResult {
  id: string;
  token: string;
  state: TextState & ('accepted' | 'queued' | 'refused' | 'skipped' | 'unknown');
  reason: string | null;
  error_code: string | null;
  provider_id: string | null;
  check_at: Date | null;
  next_attempt_at: Date | null;
  now: Date;
}

/** Stores results. Returns the ids of texts whose attempt was still current and unresolved. */
export async function storeResults(trx: Trx, results: AttemptResult[]): Promise<Set<string>> {
  const of = <T>(read: (result: AttemptResult) => T) => results.map(read);
  const ids = of(({ id }) => id);
  const { rows } = await sql<{ id: string }>`
    with ended as (
      select t.id, t.local_date, w.state, w.reason, w.error_code, w.provider_id, w.check_at, w.next_attempt_at, w.at
      from texts t join unnest(${ids}::text[], ${of(({ token }) => token)}::uuid[],
          ${of(({ state }) => state)}::text[], ${of(({ reason }) => reason)}::text[],
          ${of(({ error_code }) => error_code)}::text[], ${of(({ provider_id }) => provider_id)}::text[],
          ${of(({ check_at }) => check_at)}::timestamptz[],
          ${of(({ next_attempt_at }) => next_attempt_at)}::timestamptz[], ${of(({ now }) => now)}::timestamptz[])
        as w (id, token, state, reason, error_code, provider_id, check_at, next_attempt_at, at) using (id)
      where ${isOneOf('t', ids)} and t.attempt_token = w.token
        and (t.state || '' = 'inflight' or (t.state || '' = 'unknown' and w.state <> 'unknown'))
      order by t.id for update of t
    )
    update texts t set state = e.state, reason = e.reason, error_code = e.error_code, lease_until = null,
      provider_id = coalesce(e.provider_id, t.provider_id), check_at = e.check_at,
      settled_at = case when e.state = 'queued' then t.settled_at else e.at end,
      next_attempt_at = coalesce(e.next_attempt_at, t.next_attempt_at),
      enqueued_at = case when e.state = 'queued' then null else t.enqueued_at end
    from ended e where ${isOneOf('t', ids)} and t.id = e.id and t.local_date = e.local_date
    returning t.id`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

/** Returns whether `takeLost`, `takeMissed` or `takeAbandoned` would find a recent text. */
export async function hasOverdueTexts(
  db: Kysely<SmsDatabase>,
  { now, wall }: { now: Date; wall: Date },
): Promise<boolean> {
  const first = sql<{ has: boolean }>`select coalesce(
    (select true from texts where state = 'inflight' and ${isRecent(now)} and lease_until < ${wall}
      order by lease_until limit 1),
    (select true from texts where state = 'queued' and ${isRecent(now)} and deadline_at <= ${now}
      order by deadline_at limit 1),
    (select true from texts where state = 'queued' and ${isRecent(now)} and ${isAbandoned()}
      order by ${dueSince()} limit 1), false) as has`;
  const { rows } = await inIndexOrder(db, (trx) => first.execute(trx));
  return rows[0]?.has ?? false;
}

/** Marks in-flight texts as unknown if their worker's lease has expired. */
export function takeLost(
  trx: Trx,
  { now, wall, checkAt, limit }: { now: Date; wall: Date; checkAt: Date; limit: number },
  months = isRecent(now),
): Promise<SettledText[]> {
  return trx
    .updateTable('texts')
    .set({
      state: 'unknown',
      reason: 'worker_lost',
      lease_until: null,
      settled_at: now,
      check_at: checkAt,
    })
    .where(
      sql<boolean>`(id, local_date) in (select id, local_date from texts where state = 'inflight' and ${months}
        and lease_until < ${wall} order by id limit ${limit} for update skip locked)`,
    )
    .returning(settledColumns)
    .execute();
}

export const takeMissed = (
  trx: Trx,
  now: Date,
  limit: number,
  months = isRecent(now),
): Promise<EndedText[]> =>
  takeQueued(trx, now, {
    which: sql`${months} and deadline_at <= ${now}`,
    by: sql`deadline_at`,
    limit,
  });

export const takeAbandoned = (trx: Trx, now: Date, limit: number): Promise<EndedText[]> =>
  takeQueued(trx, now, {
    which: sql`${isRecent(now)} and ${isAbandoned()}`,
    by: dueSince(),
    limit,
  });

/** Ends queued texts: abandoned ones as skipped, even if their windows have closed, and others as missed. */
function takeQueued(
  trx: Trx,
  now: Date,
  { which, by, limit }: { which: RawBuilder<boolean>; by: RawBuilder<unknown>; limit: number },
): Promise<EndedText[]> {
  const ifAbandoned = <T>(then: T, fallback: RawBuilder<T>) =>
    sql<T>`case when ${isAbandoned()} then ${then} else ${fallback} end`;
  return inIndexOrder(trx, () =>
    trx
      .updateTable('texts')
      .set({
        state: ifAbandoned<TextState>('skipped', sql.lit('missed')),
        reason: ifAbandoned('frozen_skipped', missedReason),
        settled_at: now,
      })
      .where(
        sql<boolean>`(id, local_date) in (select id, local_date from texts where state = 'queued' and ${which}
          order by ${by} limit ${limit} for update skip locked)`,
      )
      .returning(settledColumns)
      .returning(['state', 'reason'])
      .execute(),
  );
}
