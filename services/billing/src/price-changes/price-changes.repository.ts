import type { PlanId } from '@daylift/contracts/plans';
import { type Selectable, type SqlBool, sql } from 'kysely';
import type { Db, PriceChangesTable, PriceMovesTable, Trx } from '../database.ts';
import type { Subscription } from '../subscriptions/subscriptions.repository.ts';

export type PriceMove = Selectable<PriceMovesTable>;
/** A subscriber's part of a move. */
export type PriceChange = Selectable<PriceChangesTable> &
  Pick<PriceMove, 'plan' | 'from_cents' | 'to_cents' | 'provider_price'>;

const changes = (db: Db) =>
  db
    .selectFrom('price_changes')
    .innerJoin('price_moves', 'price_moves.id', 'price_changes.move_id')
    .selectAll('price_changes')
    .select(['plan', 'from_cents', 'to_cents', 'provider_price']);

/** Returns the change that is still to be announced or applied. */
export function findOpenChange(db: Db, userId: string): Promise<PriceChange | undefined> {
  return changes(db)
    .where('user_id', '=', userId)
    .where('state', 'in', ['planned', 'announced'])
    .executeTakeFirst();
}

export type ShownChange = PriceChange & { effective_at: Date };

/** Returns the announced change that the next renewals of this subscription are subject to. */
export async function findShownChange(
  db: Db,
  row: Pick<
    Subscription,
    'user_id' | 'stripe_subscription_id' | 'is_live' | 'plan' | 'price_cents'
  >,
): Promise<ShownChange | undefined> {
  if (!row.is_live || row.stripe_subscription_id === null) return undefined;
  const change = await changes(db)
    .where('user_id', '=', row.user_id)
    .where('stripe_subscription_id', '=', row.stripe_subscription_id)
    .where('state', 'in', ['announced', 'applied'])
    .where('plan', '=', row.plan)
    // Once the new price is paid, it is the subscription's price.
    .where('from_cents', '=', row.price_cents)
    .orderBy('announced_at', 'desc')
    .executeTakeFirst();
  return change as ShownChange | undefined;
}

export async function updateChange(
  db: Db,
  { move_id, user_id }: Pick<PriceChange, 'move_id' | 'user_id'>,
  update: Partial<Selectable<PriceChangesTable>>,
): Promise<void> {
  await db
    .updateTable('price_changes')
    .set(update)
    .where('move_id', '=', move_id)
    .where('user_id', '=', user_id)
    .execute();
}

/** Does nothing once the change is applied or dropped. */
export async function planNextCheck(
  db: Db,
  { move_id, user_id }: PriceChange,
  due_at: Date,
): Promise<void> {
  await db
    .updateTable('price_changes')
    .set({ due_at })
    .where('move_id', '=', move_id)
    .where('user_id', '=', user_id)
    .where('state', 'in', ['planned', 'announced'])
    .execute();
}

export async function findDueChanges(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from price_changes c where due_at <= ${now} and not exists (select from provider_tasks t
      where t.kind = 'follow_price_change' and t.subject = c.user_id::text and t.done_at is null)
    order by due_at limit ${limit}`.execute(db);
  return rows.map((row) => row.user_id);
}

export async function nextDueChange(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('price_changes')
    .select((select) => select.fn.min('due_at').as('at'))
    .executeTakeFirst();
  return row?.at ?? null;
}

/** Returns when the email with this key was sent, or null. */
export async function findSentAt(db: Db, key: string): Promise<Date | null> {
  const mail = await db
    .selectFrom('mails')
    .select('sent_at')
    .where('key', '=', key)
    .executeTakeFirst();
  return mail?.sent_at ?? null;
}

export function findMove(db: Db, id: string): Promise<PriceMove | undefined> {
  return db.selectFrom('price_moves').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns false if the move exists already. */
export async function insertMove(trx: Trx, move: PriceMove): Promise<boolean> {
  const inserted = await trx
    .insertInto('price_moves')
    .values(move)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/**
 * SQL condition: the subscription renews at another price, and no other one is set or announced for it. Written as two
 * ranges, so it reads an index.
 */
const renewsAt = (plan: PlanId, toCents: number) => sql<SqlBool>`s.is_live
  and s.status in ('trial', 'active', 'past_due') and s.stripe_subscription_id is not null
  and s.plan = ${plan} and (s.price_cents < ${toCents} or s.price_cents > ${toCents}) and not exists (
    select from price_changes c join price_moves m on m.id = c.move_id
    where c.user_id = s.user_id and c.stripe_subscription_id = s.stripe_subscription_id and m.plan = s.plan
      and m.from_cents = s.price_cents
      and (c.state = 'applied' or (c.state in ('planned', 'announced') and m.to_cents = ${toCents})))`;

export interface Renewing {
  from_cents: number;
  in_trial: boolean;
  renews_on: string;
  subscribers: number;
}

/** Counts the subscribers of a plan who pay another price than `toCents`, by price and next renewal. */
export async function countRenewing(db: Db, plan: PlanId, toCents: number): Promise<Renewing[]> {
  const { rows } = await sql<Renewing>`
    select price_cents as from_cents, status = 'trial' as in_trial,
      to_char(current_period_end at time zone 'UTC', 'YYYY-MM-DD') as renews_on, count(*)::integer as subscribers
    from subscriptions s where ${renewsAt(plan, toCents)} group by 1, 2, 3`.execute(db);
  return rows;
}

/** Plans the change of everyone who pays the move's old price. Returns how many there are. */
export async function planChanges(trx: Trx, move: PriceMove): Promise<number> {
  const which = sql`${renewsAt(move.plan, move.to_cents)} and s.price_cents = ${move.from_cents}`;
  await sql`update price_changes set state = 'dropped', due_at = null
    where state in ('planned', 'announced') and user_id in (select s.user_id from subscriptions s where ${which})`.execute(
    trx,
  );
  const { rows } = await sql<{ subscribers: number }>`
    with planned as (
      insert into price_changes (move_id, user_id, stripe_subscription_id, state, due_at)
      select ${move.id}, s.user_id, s.stripe_subscription_id, 'planned', ${move.created_at}
      from subscriptions s where ${which} returning 1)
    select count(*)::integer as subscribers from planned`.execute(trx);
  return rows[0]?.subscribers ?? 0;
}

export interface CountedMove extends PriceMove {
  planned: number;
  announced: number;
  applied: number;
  declined: number;
  dropped: number;
}

/** Returns moves, newest first, with how far they have come. */
export async function listMoves(db: Db, limit: number): Promise<CountedMove[]> {
  const { rows } = await sql<CountedMove>`
    select m.*, count(*) filter (where c.state = 'planned')::integer as planned,
      count(*) filter (where c.state = 'announced' and c.declined_at is null)::integer as announced,
      count(*) filter (where c.state = 'applied' and c.declined_at is null)::integer as applied,
      count(*) filter (where c.state in ('announced', 'applied') and c.declined_at is not null)::integer as declined,
      count(*) filter (where c.state = 'dropped')::integer as dropped
    from (select * from price_moves order by created_at desc limit ${limit}) m
    left join price_changes c on c.move_id = m.id
    group by m.id, m.plan, m.from_cents, m.to_cents, m.provider_price, m.reason, m.created_at, m.created_by
    order by m.created_at desc`.execute(db);
  return rows;
}

/** Returns a subscriber's announced changes, newest first. */
export async function findChangesOf(db: Db, userId: string) {
  const rows = await changes(db)
    .where('user_id', '=', userId)
    .where('announced_at', 'is not', null)
    .orderBy('announced_at', 'desc')
    .execute();
  return rows.map(({ state, from_cents, to_cents, announced_at, effective_at, declined_at }) => ({
    ...{ from_cents, to_cents, declined_at },
    state: state === 'planned' ? ('announced' as const) : state,
    announced_at: announced_at!,
    effective_at: effective_at!,
  }));
}
