import { foldAlone } from '@daylift/database/advisory-locks';
import { type Kysely, sql } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { DeliverySlotsTable } from './delivery-slots.table.ts';

type Db = Kysely<SchedulerDatabase>;
const perFold = 5_000;

/** Counts the planned subscribers by chosen hour. */
export async function countByHour(db: Db): Promise<DeliverySlotsTable[]> {
  const result = await sql<DeliverySlotsTable>`
    select delivery_hour, sum(subscribers)::int as subscribers from (
      select delivery_hour, subscribers from delivery_slots
      union all
      select delivery_hour, change from delivery_slot_changes
    ) as parts group by delivery_hour`.execute(db);
  return result.rows;
}

/** Folds changes into the counts, in one process at a time. */
export function foldDeliverySlots(db: Db): Promise<number> {
  const turn = { task: 'fold_delivery_slots', changes: 'delivery_slot_changes' };
  return foldAlone(db, turn, async (trx) => {
    const result = await sql<{ folded: number }>`
      with taken as (
        delete from delivery_slot_changes
        where position in (select position from delivery_slot_changes order by position limit ${perFold})
        returning delivery_hour, change
      ), folded as (
        insert into delivery_slots (delivery_hour, subscribers)
        select delivery_hour, sum(change) from taken group by 1
        on conflict (delivery_hour) do update set subscribers = delivery_slots.subscribers + excluded.subscribers
      )
      select count(*)::int as folded from taken`.execute(trx);
    return result.rows[0]?.folded ?? 0;
  });
}
