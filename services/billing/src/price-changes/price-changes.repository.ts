import { type Currency, defaultCurrency, type PlanId } from '@daylift/contracts/plans';
import { type Selectable, type SqlBool, sql } from 'kysely';
import { paysIn } from '../customers/currency.repository.ts';
import type { Db, PriceChangesTable, PriceMovesTable, Trx } from '../database.ts';
import type { Subscription } from '../subscriptions/subscriptions.repository.ts';

export type PriceMove = Selectable<PriceMovesTable> & { currency: Currency };
/** A subscriber's part of a move. */
export type PriceChange = Selectable<PriceChangesTable> &
  Pick<
    PriceMove,
    'plan' | 'currency' | 'from_cents' | 'to_cents' | 'provider_price' | 'stopped_at'
  >;

const currencyOf = (
  moveId: string,
) => sql<Currency>`coalesce((select currency from price_move_currencies
  where move_id = ${sql.ref(moveId)}), ${defaultCurrency})`;

const moves = (db: Db) =>
  db.selectFrom('price_moves').selectAll().select(currencyOf('price_moves.id').as('currency'));

const changes = (db: Db) =>
  db
    .selectFrom('price_changes')
    .innerJoin('price_moves', 'price_moves.id', 'price_changes.move_id')
    .selectAll('price_changes')
    .select(['plan', 'from_cents', 'to_cents', 'provider_price', 'stopped_at'])
    .select(currencyOf('price_moves.id').as('currency'));

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
    | 'user_id'
    | 'stripe_subscription_id'
    | 'is_live'
    | 'plan'
    | 'price_cents'
    | 'current_period_start'
  >,
): Promise<ShownChange | undefined> {
  if (!row.is_live || row.stripe_subscription_id === null) return undefined;
  const change = await changes(db)
    .where('user_id', '=', row.user_id)
    .where('stripe_subscription_id', '=', row.stripe_subscription_id)
    .where((where) =>
      where.or([
        where('state', '=', 'announced'),
        // Later, the old price may return by another move.
        where.and([
          where('state', '=', 'applied'),
          where('effective_at', '>', row.current_period_start),
        ]),
      ]),
    )
    .where('plan', '=', row.plan)
    // Once the new price is paid, it is the subscription's price.
    .where('from_cents', '=', row.price_cents)
    .orderBy('announced_at', 'desc')
    .executeTakeFirst();
  return change as ShownChange | undefined;
}

/** Returns false, without an update, if its state is no longer the one that was read. */
export async function updateChange(
  db: Db,
  { move_id, user_id, state }: Pick<PriceChange, 'move_id' | 'user_id' | 'state'>,
  update: Partial<Selectable<PriceChangesTable>>,
): Promise<boolean> {
  const updated = await db
    .updateTable('price_changes')
    .set(update)
    .where('move_id', '=', move_id)
    .where('user_id', '=', user_id)
    .where('state', '=', state)
    .returning('user_id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** Sets when to check a change again, unless that has changed since it was read. */
export async function postponeChange(
  db: Db,
  { move_id, user_id, due_at }: Pick<PriceChange, 'move_id' | 'user_id' | 'due_at'>,
  until: Date,
): Promise<void> {
  await db
    .updateTable('price_changes')
    .set({ due_at: until })
    .where('move_id', '=', move_id)
    .where('user_id', '=', user_id)
    .where('state', 'in', ['planned', 'announced'])
    .where(sql<SqlBool>`due_at is not distinct from ${due_at}`)
    .execute();
}

/** Returns the users whose next step is due, up to a total of `atOnce` open tasks. */
export async function findDueChanges(db: Db, now: Date, atOnce: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from price_changes c where due_at <= ${now} and not exists (select from provider_tasks t
      where t.kind = 'follow_price_change' and t.subject = c.user_id::text and t.done_at is null)
    order by due_at limit greatest(0, ${atOnce}::integer - (select count(*) from provider_tasks
      where kind = 'follow_price_change' and done_at is null and parked_at is null))`.execute(db);
  return rows.map((row) => row.user_id);
}

export async function nextDueChange(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least((select min(due_at) from price_changes),
      (select min(created_at) from price_moves where next_user_id is not null)) as at`.execute(db);
  return rows[0]?.at ?? null;
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
  return moves(db).where('id', '=', id).executeTakeFirst();
}

export function lockMove(trx: Trx, id: string): Promise<PriceMove | undefined> {
  return moves(trx).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Stops planning and makes every open change due. Returns how many will be withdrawn. */
export async function markStopped(trx: Trx, id: string, now: Date): Promise<number> {
  await trx
    .updateTable('price_moves')
    .set({ stopped_at: now, next_user_id: null })
    .where('id', '=', id)
    .execute();
  // Locked in the order of users, as elsewhere, to avoid deadlocks with prices that are being set.
  const open = sql`move_id = ${id} and state in ('planned', 'announced')`;
  await sql`select from price_changes where ${open} order by user_id for update`.execute(trx);
  const { rows } = await sql<{ count: number }>`
    with due as (update price_changes set due_at = ${now} where ${open} returning declined_at)
    select count(*)::integer as count from due where declined_at is null`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** Inserts a move. Its subscribers are planned later. */
export async function insertMove(
  trx: Trx,
  { currency, ...move }: Omit<PriceMove, 'next_user_id' | 'stopped_at'>,
): Promise<void> {
  await trx
    .insertInto('price_moves')
    .values({ ...move, next_user_id: '00000000-0000-0000-0000-000000000000' })
    .execute();
  await trx.insertInto('price_move_currencies').values({ move_id: move.id, currency }).execute();
}

/**
 * SQL condition: the subscription renews at another price, no other one is set or announced for it, and it doesn't
 * end instead. Written as two ranges, so it reads an index.
 */
const renewsAt = (plan: PlanId, currency: Currency, toCents: number) => sql<SqlBool>`s.is_live
  and s.status in ('trial', 'active', 'past_due') and s.stripe_subscription_id is not null
  and s.plan = ${plan} and ${paysIn('s.user_id', currency)} and (s.price_cents < ${toCents} or s.price_cents > ${toCents}) and not exists (
    select from price_changes c join price_moves m on m.id = c.move_id
    where c.user_id = s.user_id and c.stripe_subscription_id = s.stripe_subscription_id and m.plan = s.plan
      and m.from_cents = s.price_cents
      and (c.state = 'applied' and c.effective_at > s.current_period_start
        or c.state in ('planned', 'announced') and (m.to_cents = ${toCents} or c.declined_at is not null)))`;

/** Subscribers with the same price whose next renewals are on one UTC day. */
interface Renewing {
  from_cents: number;
  in_trial: boolean;
  first_renewal: Date;
  last_renewal: Date;
  subscribers: number;
}

/** Counts the subscribers of a plan who pay another price than `toCents`, by price and day of the next renewal. */
export async function countRenewing(
  db: Db,
  { id: plan, price_cents: toCents }: { id: PlanId; price_cents: number },
  currency: Currency,
): Promise<Renewing[]> {
  const { rows } = await sql<Renewing>`
    select price_cents as from_cents, status = 'trial' as in_trial,
      min(current_period_end) as first_renewal, max(current_period_end) as last_renewal,
      count(*)::integer as subscribers
    from subscriptions s where ${renewsAt(plan, currency, toCents)} and not exists (
      select from price_moves m where m.next_user_id is not null
        and m.plan = ${plan} and ${currencyOf('m.id')} = ${currency} and m.from_cents = s.price_cents and m.to_cents = ${toCents})
    group by 1, 2, (current_period_end at time zone 'UTC')::date`.execute(db);
  return rows;
}

/** Returns the oldest move with unplanned subscribers. */
export async function findUnplannedMove(db: Db): Promise<string | undefined> {
  const move = await db
    .selectFrom('price_moves')
    .select('id')
    .where('next_user_id', 'is not', null)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return move?.id;
}

/** Plans the changes of the next subscribers who pay the move's old price. One process at a time. */
export async function planChanges(trx: Trx, id: string, pageSize: number): Promise<void> {
  const move = await moves(trx)
    .where('id', '=', id)
    .where('next_user_id', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (move === undefined) return;
  const { plan, currency, from_cents, to_cents, next_user_id, created_at } = move;
  const { rows } = await sql<{ user_id: string }>`
    select user_id from subscriptions
    where is_live and plan = ${plan} and price_cents = ${from_cents} and user_id >= ${next_user_id}
    order by user_id offset ${pageSize} limit 1`.execute(trx);
  const end = rows[0]?.user_id ?? null;
  const which = sql`${renewsAt(plan, currency, to_cents)} and s.price_cents = ${from_cents} and s.user_id >= ${next_user_id}
    and (${end}::uuid is null or s.user_id < ${end})`;
  const open = sql`state in ('planned', 'announced')
    and user_id in (select s.user_id from subscriptions s where ${which})`;
  // Waits for prices that are about to be set, so the update sees the users' open plan changes.
  await sql`select from price_changes where ${open} order by user_id for update`.execute(trx);
  await sql`update price_changes set state = 'dropped', due_at = null where ${open}
    and not exists (select from plan_changes p
      where p.user_id = price_changes.user_id and p.is_open and p.action = 'move_price')`.execute(
    trx,
  );
  await sql`insert into price_changes (move_id, user_id, stripe_subscription_id, state, due_at)
    select ${id}, s.user_id, s.stripe_subscription_id, 'planned', ${created_at}
    from subscriptions s where ${which} order by s.user_id on conflict do nothing`.execute(trx);
  await trx.updateTable('price_moves').set({ next_user_id: end }).where('id', '=', id).execute();
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
    select m.*, ${currencyOf('m.id')} as currency, count(*) filter (where c.state = 'planned')::integer as planned,
      count(*) filter (where c.state = 'announced' and c.declined_at is null)::integer as announced,
      count(*) filter (where c.state = 'applied' and c.declined_at is null)::integer as applied,
      count(*) filter (where c.state in ('announced', 'applied') and c.declined_at is not null)::integer as declined,
      count(*) filter (where c.state = 'dropped')::integer as dropped
    from (select * from price_moves order by created_at desc limit ${limit}) m
    left join price_changes c on c.move_id = m.id
    group by m.id, m.plan, m.from_cents, m.to_cents, m.provider_price, m.reason, m.created_at, m.created_by,
      m.next_user_id, m.stopped_at
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
