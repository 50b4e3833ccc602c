import type { SendWindow } from '@daylift/contracts/scheduler.events';
import type { TextOutcome } from '@daylift/contracts/sms.events';
import { inIndexOrder } from '@daylift/database/index-order';
import { isInMonthsOf } from '@daylift/database/partitions';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { Dispatch, DispatchState } from './dispatches.table.ts';

type Trx = Transaction<SchedulerDatabase>;

/** SQL: nothing of this dispatch reached the subscriber, so its date may be planned again. */
export const nothingLeft: RawBuilder<boolean> = sql<boolean>`(dispatches.state in ('skipped', 'missed', 'superseded')
  or (dispatches.is_test and dispatches.state <> 'released'))`;

export type NewDispatch = Pick<
  Dispatch,
  'user_id' | 'local_date' | 'kind' | 'due_at' | 'timezone'
> &
  Partial<Pick<Dispatch, 'delivery_hour' | 'frequency' | 'weekday' | 'scheduled_message_id'>>;

interface PlanOptions {
  manualSendId?: string;
  /** A manual send replaces planned dispatches, but not those another manual send holds until morning. */
  overPlanned?: boolean;
}

/**
 * Plans dispatches and returns those now planned. A date that is already used stays unchanged, so a subscriber gets
 * one text per date however often it is planned. Rows are inserted by user, so two planners wait for each other
 * instead of deadlocking.
 */
export async function planDispatches(
  trx: Trx,
  rows: NewDispatch[],
  options: PlanOptions = {},
): Promise<Dispatch[]> {
  if (rows.length === 0) return [];
  const sorted = rows.toSorted((one, other) => (one.user_id < other.user_id ? -1 : 1));
  const column = <T>(pick: (row: NewDispatch) => T) => sorted.map(pick);
  const takeable = options.overPlanned
    ? sql`((dispatches.state = 'planned' and dispatches.staff_send_id is null) or ${nothingLeft})`
    : nothingLeft;
  const result = await sql<Dispatch>`
    insert into dispatches (user_id, local_date, kind, id, due_at, timezone, delivery_hour, frequency, weekday,
      scheduled_message_id, staff_send_id)
    select user_id, local_date, kind, dispatch_id(user_id, local_date, kind, 1), due_at, timezone, delivery_hour,
      frequency, weekday, scheduled_message_id, ${options.manualSendId ?? null}::uuid
    from unnest(${column((row) => row.user_id)}::uuid[], ${column((row) => row.local_date)}::date[],
      ${column((row) => row.kind)}::text[], ${column((row) => row.due_at)}::timestamptz[],
      ${column((row) => row.timezone)}::text[], ${column((row) => row.delivery_hour ?? null)}::smallint[],
      ${column((row) => row.frequency ?? null)}::text[], ${column((row) => row.weekday ?? null)}::smallint[],
      ${column((row) => row.scheduled_message_id ?? null)}::uuid[])
      as planned (user_id, local_date, kind, due_at, timezone, delivery_hour, frequency, weekday, scheduled_message_id)
    on conflict (user_id, local_date, kind) do update set
      generation = dispatches.generation + 1,
      id = dispatch_id(dispatches.user_id, dispatches.local_date, dispatches.kind, dispatches.generation + 1),
      state = 'planned', due_at = excluded.due_at, timezone = excluded.timezone,
      delivery_hour = excluded.delivery_hour, frequency = excluded.frequency, weekday = excluded.weekday,
      scheduled_message_id = excluded.scheduled_message_id, staff_send_id = excluded.staff_send_id,
      template_id = null, batch_id = null, windows = null, reason = null, is_test = false,
      released_at = null, republish_at = null, republished = 0, settled_at = null
    where ${takeable}
    returning *`.execute(trx);
  return result.rows;
}

/** Cancels a subscriber's planned dispatches of a kind; manual sends stay. */
export async function cancelPlanned(trx: Trx, userId: string, kind: string): Promise<void> {
  await withdraw(trx, sql`user_id = ${userId} and kind = ${kind} and staff_send_id is null`);
}

/** Cancels all planned announcements to a subscriber. */
export async function cancelAnnouncements(trx: Trx, userId: string): Promise<void> {
  await withdraw(trx, sql`user_id = ${userId} and kind <> 'daily' and staff_send_id is null`);
}

export type HeldText = Pick<Dispatch, 'local_date' | 'kind' | 'due_at'>;

/** Returns what manual sends hold for a subscriber. */
export function findHeldTexts(db: Kysely<SchedulerDatabase>, userId: string): Promise<HeldText[]> {
  return db
    .selectFrom('dispatches')
    .select(['local_date', 'kind', 'due_at'])
    .where('user_id', '=', userId)
    .where('state', '=', 'planned')
    .where('staff_send_id', 'is not', null)
    .orderBy('due_at')
    .execute();
}

/** Holds a subscriber's texts until these instants in another zone, and withdraws those still held in the old one. */
export async function moveHeldTexts(
  trx: Trx,
  userId: string,
  timezone: string,
  kept: HeldText[],
): Promise<void> {
  for (const { local_date, kind, due_at } of kept)
    await trx
      .updateTable('dispatches')
      .set({ timezone, due_at })
      .where('user_id', '=', userId)
      .where('local_date', '=', local_date)
      .where('kind', '=', kind)
      .where('state', '=', 'planned')
      .execute();
  await withdraw(
    trx,
    sql`user_id = ${userId} and staff_send_id is not null and timezone <> ${timezone}`,
  );
}

/** Cancels a manual send's held texts for a subscriber and returns how many there were. */
export function cancelHeld(trx: Trx, userId: string, manualSendId: string): Promise<number> {
  return withdraw(trx, sql`user_id = ${userId} and staff_send_id = ${manualSendId}`);
}

/** Cancels everything planned for a subscriber. */
export async function cancelAllPlanned(trx: Trx, userId: string): Promise<void> {
  await withdraw(trx, sql`user_id = ${userId}`);
}

/** Erases the zones and hours of past texts. The used dates stay, so no date gets a second text. */
export async function eraseChoices(trx: Trx, userId: string): Promise<void> {
  await sql`update dispatches set timezone = 'UTC', weekday = null,
      delivery_hour = case when delivery_hour is null then null else 0 end,
      frequency = case when frequency is null then null else 'daily' end,
      windows = case when state = 'released' then windows else null end
    where user_id = ${userId}`.execute(trx);
}

/** Cancels one announcement for everyone. */
export async function cancelKind(trx: Trx, kind: string): Promise<void> {
  await withdraw(trx, sql`kind = ${kind} and staff_send_id is null`);
}

/**
 * Deletes first generations, which were never released. Later ones stay as superseded, so the count continues:
 * sms-gateway treats a known id as a repeat.
 */
async function withdraw(trx: Trx, condition: RawBuilder<unknown>): Promise<number> {
  const superseded =
    await sql`update dispatches set state = 'superseded', reason = 'settings_changed'
    where state = 'planned' and generation > 1 and ${condition}`.execute(trx);
  const deleted =
    await sql`delete from dispatches where state = 'planned' and generation = 1 and ${condition}`.execute(
      trx,
    );
  return Number((superseded.numAffectedRows ?? 0n) + (deleted.numAffectedRows ?? 0n));
}

/**
 * Returns the subscriber's last local date with a text that is in progress or sent, or planned unless `withoutPlanned`.
 * Tests and skips don't count.
 */
export async function lastTakenDate(
  db: Kysely<SchedulerDatabase>,
  userId: string,
  { withoutPlanned }: { withoutPlanned: boolean } = { withoutPlanned: false },
): Promise<string | null> {
  const row = await db
    .selectFrom('dispatches')
    .select((select) => select.fn.max('local_date').as('date'))
    .where('user_id', '=', userId)
    .where('kind', '=', 'daily')
    .where('state', 'in', ['planned', 'released', 'accepted', 'unknown', 'refused'])
    .where('is_test', '=', false)
    .$if(withoutPlanned, (query) => query.where('state', '<>', 'planned'))
    .executeTakeFirst();
  return row?.date ?? null;
}

/** Returns each subscriber's last date since `since` with a text sent or in progress. */
export async function findLastUsedDates(
  db: Kysely<SchedulerDatabase>,
  userIds: string[],
  kind: string,
  since: string,
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('dispatches')
    .select((select) => ['user_id', select.fn.max('local_date').as('date')])
    .where('user_id', 'in', userIds)
    .where('kind', '=', kind)
    .where('local_date', '>=', since)
    .where('state', 'in', ['released', 'accepted', 'unknown', 'refused'])
    .where('is_test', '=', false)
    .groupBy('user_id')
    .execute();
  return new Map(rows.map((row) => [row.user_id, row.date]));
}

/** Returns whether a dispatch is due. Cheaper than `claimDueDispatches`, because Postgres plans it only once. */
export async function hasDueDispatches(db: Kysely<SchedulerDatabase>, now: Date): Promise<boolean> {
  const due = await db
    .selectFrom('dispatches')
    .select('id')
    .where('state', '=', sql.lit('planned'))
    .where('due_at', '<=', now)
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}

/** Claims due dispatches, oldest first. Concurrent callers skip claimed rows. */
export const claimDueDispatches = (trx: Trx, now: Date, limit: number): Promise<Dispatch[]> =>
  claimFirst(trx, { state: 'planned', by: 'due_at', now, limit });

/** Claims released dispatches that have had no outcome for too long. */
export const claimUnansweredDispatches = (
  trx: Trx,
  now: Date,
  limit: number,
): Promise<Dispatch[]> => claimFirst(trx, { state: 'released', by: 'republish_at', now, limit });

/** The same without locks. */
export async function findUnansweredIds(
  db: Kysely<SchedulerDatabase>,
  now: Date,
  limit: number,
): Promise<string[]> {
  const rows = await inIndexOrder(db, (trx) =>
    trx
      .selectFrom('dispatches')
      .select('id')
      .where('state', '=', sql.lit('released'))
      .where('republish_at', '<=', now)
      .orderBy('republish_at')
      .limit(limit)
      .execute(),
  );
  return rows.map(({ id }) => id);
}

export async function postponeRepublishing(
  trx: Trx,
  dispatches: Dispatch[],
  until: Date,
): Promise<void> {
  if (dispatches.length === 0) return;
  await sql`update dispatches set republish_at = ${until}
    from unnest(${dispatches.map((one) => one.user_id)}::uuid[],
      ${dispatches.map((one) => one.local_date)}::date[], ${dispatches.map((one) => one.kind)}::text[])
      as waiting (user_id, local_date, kind)
    where dispatches.user_id = waiting.user_id and dispatches.local_date = waiting.local_date
      and dispatches.kind = waiting.kind`.execute(trx);
}

function claimFirst(
  trx: Trx,
  filter: { state: DispatchState; by: 'due_at' | 'republish_at'; now: Date; limit: number },
): Promise<Dispatch[]> {
  return inIndexOrder(trx, () =>
    trx
      .selectFrom('dispatches')
      .selectAll()
      .where('state', '=', sql.lit(filter.state))
      .where(filter.by, '<=', filter.now)
      .orderBy(filter.by)
      .limit(filter.limit)
      .forUpdate()
      .skipLocked()
      .execute(),
  );
}

export interface Ended {
  dispatch: Dispatch;
  state: 'skipped' | 'superseded' | 'missed';
  reason: string;
}

export async function endDispatches(trx: Trx, ended: Ended[], now: Date): Promise<void> {
  if (ended.length === 0) return;
  await sql`update dispatches set state = ended.state, reason = ended.reason, settled_at = ${now}
    from unnest(${ended.map((one) => one.dispatch.user_id)}::uuid[],
      ${ended.map((one) => one.dispatch.local_date)}::date[], ${ended.map((one) => one.dispatch.kind)}::text[],
      ${ended.map((one) => one.state)}::text[], ${ended.map((one) => one.reason)}::text[])
      as ended (user_id, local_date, kind, state, reason)
    where dispatches.user_id = ended.user_id and dispatches.local_date = ended.local_date
      and dispatches.kind = ended.kind`.execute(trx);
}

export interface Release {
  dispatch: Dispatch;
  windows: SendWindow[];
  batch_id: string;
  scheduled_message_id: string | null;
  template_id: string | null;
}

export async function markReleased(
  trx: Trx,
  releases: Release[],
  now: Date,
  republishAt: Date,
): Promise<void> {
  await sql`update dispatches set state = 'released', released_at = ${now}, republish_at = ${republishAt},
      windows = released.windows, batch_id = released.batch_id,
      scheduled_message_id = released.scheduled_message_id, template_id = released.template_id
    from unnest(${releases.map((one) => one.dispatch.user_id)}::uuid[],
      ${releases.map((one) => one.dispatch.local_date)}::date[], ${releases.map((one) => one.dispatch.kind)}::text[],
      ${releases.map((one) => JSON.stringify(one.windows))}::jsonb[], ${releases.map((one) => one.batch_id)}::uuid[],
      ${releases.map((one) => one.scheduled_message_id)}::uuid[],
      ${releases.map((one) => one.template_id)}::uuid[])
      as released (user_id, local_date, kind, windows, batch_id, scheduled_message_id, template_id)
    where dispatches.user_id = released.user_id and dispatches.local_date = released.local_date
      and dispatches.kind = released.kind`.execute(trx);
}

export async function postponeDispatches(
  trx: Trx,
  waits: { dispatch: Dispatch; until: Date }[],
): Promise<void> {
  if (waits.length === 0) return;
  const of = <T>(read: (wait: (typeof waits)[number]) => T) => waits.map(read);
  await sql`update dispatches d set due_at = w.until
    from unnest(${of(({ dispatch }) => dispatch.user_id)}::uuid[],
      ${of(({ dispatch }) => dispatch.local_date)}::date[], ${of(({ dispatch }) => dispatch.kind)}::text[],
      ${of(({ until }) => until)}::timestamptz[]) as w (user_id, local_date, kind, until)
    where d.user_id = w.user_id and d.local_date = w.local_date and d.kind = w.kind`.execute(trx);
}

export async function markRepublished(
  trx: Trx,
  dispatch: Dispatch,
  republishAt: Date,
): Promise<void> {
  await trx
    .updateTable('dispatches')
    .set({ republish_at: republishAt, republished: dispatch.republished + 1 })
    .where('user_id', '=', dispatch.user_id)
    .where('local_date', '=', dispatch.local_date)
    .where('kind', '=', dispatch.kind)
    .execute();
}

export interface Settled {
  dispatch_id: string;
  user_id: string;
  local_date: string;
  outcome: TextOutcome;
  reason: string | null;
  is_test: boolean;
  settled_at: Date;
}

/** Returns the ids of those that a manual send sent as the text of the day. */
export async function findDailyManualTexts(
  db: Kysely<SchedulerDatabase>,
  settled: Settled[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('dispatches')
    .select('id')
    .where(
      'user_id',
      'in',
      settled.map((one) => one.user_id),
    )
    .where(
      'local_date',
      'in',
      settled.map((one) => one.local_date),
    )
    .where(
      'id',
      'in',
      settled.map((one) => one.dispatch_id),
    )
    .where('kind', '=', 'daily')
    .where('staff_send_id', 'is not', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** What planning the date again needs. Named, because `*` isn't prepared. */
const plannedColumns = [
  'user_id',
  'local_date',
  'kind',
  'generation',
  'timezone',
  'delivery_hour',
  'frequency',
  'weekday',
] as const;
export type SettledDispatch = Pick<Dispatch, (typeof plannedColumns)[number]>;

/**
 * Stores the outcomes published by sms-gateway, in any order of arrival, and returns the dispatches that changed. A
 * later outcome replaces an accepted one, because a carrier returned the text unsent and it was decided again. Only
 * `unknown` never replaces it: a receipt is better evidence than a missing response, whatever the replicas' clocks say.
 */
export async function settleDispatches(trx: Trx, settled: Settled[]): Promise<SettledDispatch[]> {
  const changed: SettledDispatch[] = [];
  for (const round of oneOutcomePerRound(settled)) changed.push(...(await settleRound(trx, round)));
  return changed;
}

/** Splits outcomes so that each dispatch has at most one per round, earliest first. */
function oneOutcomePerRound(settled: Settled[]): Settled[][] {
  const rounds: Settled[][] = [];
  const used = new Map<string, number>();
  for (const one of settled.toSorted((a, b) => a.settled_at.getTime() - b.settled_at.getTime())) {
    const earlier = used.get(one.dispatch_id) ?? 0;
    used.set(one.dispatch_id, earlier + 1);
    const round = rounds[earlier];
    if (round) round.push(one);
    else rounds.push([one]);
  }
  return rounds;
}

/**
 * The state comparison is deliberately not indexable. With statistics from a quiet hour, the planner may prefer the
 * index of open dispatches to the key, and then reads every open dispatch of that date for each outcome.
 */
async function settleRound(trx: Trx, settled: Settled[]): Promise<SettledDispatch[]> {
  const of = <T>(read: (one: Settled) => T) => settled.map(read);
  const users = of(({ user_id }) => user_id);
  const dates = of(({ local_date }) => local_date);
  const columns = sql.join(plannedColumns.map((name) => sql.ref(`d.${name}`)));
  const isInPartition = isInMonthsOf(sql.ref<string>('d.local_date'), dates);
  const { rows } = await sql<SettledDispatch>`
    with ended as (
      select d.user_id, d.local_date, d.kind, w.outcome, w.reason, w.is_test, w.settled_at
      from dispatches d join unnest(${of(({ dispatch_id }) => dispatch_id)}::text[], ${of(({ outcome }) => outcome)}::text[],
          ${of(({ reason }) => reason)}::text[], ${of(({ is_test }) => is_test)}::boolean[],
          ${of(({ settled_at }) => settled_at)}::timestamptz[])
        as w (id, outcome, reason, is_test, settled_at) using (id)
      where d.user_id = any(${users}::uuid[]) and d.local_date = any(${dates}::date[]) and ${isInPartition}
        and case d.state || ''
          when 'planned' then true
          when 'released' then true
          when 'unknown' then w.outcome = 'accepted' or d.settled_at < w.settled_at
          when 'accepted' then w.outcome <> 'unknown' and d.settled_at < w.settled_at
          else w.outcome = 'accepted' and coalesce(d.settled_at <= w.settled_at, true)
        end
      order by d.user_id, d.local_date, d.kind for update of d
    )
    update dispatches d set state = e.outcome, reason = e.reason, is_test = e.is_test, settled_at = e.settled_at
    from ended e where d.user_id = any(${users}::uuid[]) and d.local_date = any(${dates}::date[]) and ${isInPartition}
      and d.user_id = e.user_id and d.local_date = e.local_date and d.kind = e.kind
    returning ${columns}`.execute(trx);
  return rows;
}

/** Counts due dispatches, up to `atMost` if given. */
export async function countDue(
  db: Kysely<SchedulerDatabase>,
  now: Date,
  atMost?: number,
): Promise<number> {
  const row = await db
    .selectFrom((from) =>
      from
        .selectFrom('dispatches')
        .select('id')
        .where('state', '=', sql.lit('planned'))
        .where('due_at', '<=', now)
        .$if(atMost !== undefined, (query) => query.limit(atMost!))
        .as('due'),
    )
    .select((select) => select.fn.countAll<number>().as('due'))
    .executeTakeFirstOrThrow();
  return row.due;
}

export async function earliestDue(db: Kysely<SchedulerDatabase>): Promise<Date | null> {
  const row = await db
    .selectFrom('dispatches')
    .select((select) => select.fn.min('due_at').as('at'))
    .where('state', '=', sql.lit('planned'))
    .executeTakeFirst();
  return row?.at ?? null;
}
