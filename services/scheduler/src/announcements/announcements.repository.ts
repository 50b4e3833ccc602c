import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { ScheduledMessage } from '../contents/contents.table.ts';
import type { SchedulerDatabase } from '../database.ts';
import { nothingLeft } from '../dispatches/dispatches.repository.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';

type Trx = Transaction<SchedulerDatabase>;

export async function findPlannedZones(
  db: Kysely<SchedulerDatabase>,
  messageId: string,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('announcement_plans')
    .select('timezone')
    .where('scheduled_message_id', '=', messageId)
    .execute();
  return new Set(rows.map((row) => row.timezone));
}

export async function markZonePlanned(
  trx: Trx,
  messageId: string,
  timezone: string,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('announcement_plans')
    .values({ scheduled_message_id: messageId, timezone, planned_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function forgetPlannedZones(trx: Trx, messageId: string): Promise<void> {
  await trx
    .deleteFrom('announcement_plans')
    .where('scheduled_message_id', '=', messageId)
    .execute();
}

/** Returns the announcement if it may still be planned, and locks it against manual sends. */
export async function lockOpenAnnouncement(
  trx: Trx,
  messageId: string,
): Promise<ScheduledMessage | undefined> {
  const message = await trx
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('id', '=', messageId)
    .where('is_deleted', '=', false)
    .where('completed_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  // Queried after the lock: a manual send that held it is visible only to a later statement.
  const taken = await trx
    .selectFrom('staff_sends')
    .select('id')
    .where('scheduled_message_id', '=', messageId)
    .executeTakeFirst();
  return taken === undefined ? message : undefined;
}

export interface ZonePlan {
  messageId: string;
  localDate: string;
  kind: string;
  timezone: string;
  dueAt: Date;
  /** Whether it may still be sent there. */
  isOpen: boolean;
}

/** SQL: subscribers with a plan, except those whose first text comes later or who already had the message. */
const belongsInto = (
  plan: ZonePlan,
): RawBuilder<boolean> => sql<boolean>`subscribers.timezone = ${plan.timezone}
  and subscribers.next_due_at is not null and subscribers.first_local_date <= ${plan.localDate}::date
  and not exists (select from dispatches as had
    where had.scheduled_message_id = ${plan.messageId}::uuid and had.user_id = subscribers.user_id
      and had.state in ('released', 'accepted', 'unknown', 'refused') and not had.is_test)`;

/** Returns the next subscribers, by id, for whom planning a zone would add rows. */
export function pageOfZone(
  db: Kysely<SchedulerDatabase>,
  plan: ZonePlan,
  after: string | null,
  limit: number,
): Promise<Subscriber[]> {
  return db
    .selectFrom('subscribers')
    .selectAll()
    .where(belongsInto(plan))
    .where(
      sql<boolean>`not exists (select from dispatches as row where row.user_id = subscribers.user_id
        and row.local_date = ${plan.localDate}::date and row.kind = ${plan.kind} and row.state = 'planned')`,
    )
    .$if(after !== null, (query) => query.where('user_id', '>', after ?? ''))
    .orderBy('user_id')
    .limit(limit)
    .execute();
}

/**
 * Plans an announcement for everyone in a zone, or for one user. Skips subscribers before their first text and those
 * who already had the message. Subscribers it didn't reach get another try while it may still be sent.
 */
export async function planZone(trx: Trx, plan: ZonePlan, userId?: string): Promise<number> {
  const result = await sql`
    insert into dispatches (user_id, local_date, kind, id, due_at, timezone, scheduled_message_id)
    select user_id, ${plan.localDate}::date, ${plan.kind}, dispatch_id(user_id, ${plan.localDate}::date, ${plan.kind}, 1),
      ${plan.dueAt}, timezone, ${plan.messageId}::uuid
    from subscribers
    where ${belongsInto(plan)} and (${userId ?? null}::uuid is null or user_id = ${userId ?? null}::uuid)
    order by user_id
    on conflict (user_id, local_date, kind) do update set
      generation = dispatches.generation + 1,
      id = dispatch_id(dispatches.user_id, dispatches.local_date, dispatches.kind, dispatches.generation + 1),
      state = 'planned', due_at = excluded.due_at, timezone = excluded.timezone,
      scheduled_message_id = excluded.scheduled_message_id, batch_id = null, windows = null, reason = null,
      is_test = false, released_at = null, republish_at = null, republished = 0, settled_at = null
    where dispatches.state = 'superseded' or (${plan.isOpen} and ${nothingLeft})`.execute(trx);
  return Number(result.numAffectedRows ?? 0);
}
