import { inIndexOrder } from '@daylift/database/index-order';
import { sql, type Transaction, type Updateable } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { isGivenUp, missedReason } from '../freeze/freeze.repository.ts';
import type { Held, TextIdentity } from './claims.repository.ts';
import type { TextState } from './text-states.ts';
import type { TextKey } from './texts.repository.ts';
import type { TextKind, TextsTable } from './texts.table.ts';

type Trx = Transaction<SmsDatabase>;
type SettledText = TextIdentity & { kind: TextKind };
export type MissedText = SettledText & { reason: string | null };

const settledColumns = [
  'id',
  'kind',
  'user_id',
  'local_date',
  'batch_id',
  'scheduled_message_id',
  'is_test',
] as const;

/** Returns false if the attempt is no longer the text's own, or has ended otherwise. */
export async function endAttempt(
  trx: Trx,
  held: Pick<Held, 'text' | 'token'>,
  from: TextState[],
  change: Updateable<TextsTable>,
): Promise<boolean> {
  const moved = await trx
    .updateTable('texts')
    .set({ ...change, lease_until: null })
    .where('id', '=', held.text.id)
    .where('local_date', '=', held.text.local_date)
    .where('attempt_token', '=', held.token)
    .where('state', 'in', from)
    .executeTakeFirst();
  return moved.numUpdatedRows > 0n;
}

/** Marks texts as unknown whose worker's lease expired while they were in flight. */
export function takeLost(
  trx: Trx,
  { now, wall, checkAt, limit }: { now: Date; wall: Date; checkAt: Date; limit: number },
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
      sql<boolean>`(id, local_date) in (select id, local_date from texts where state = 'inflight'
        and lease_until < ${wall} order by id limit ${limit} for update skip locked)`,
    )
    .returning(settledColumns)
    .execute();
}

export function freeExpiredClaims(trx: Trx, wall: Date, limit: number): Promise<TextKey[]> {
  return trx
    .updateTable('texts')
    .set({ state: 'queued', lease_until: null, attempt_token: null, enqueued_at: null })
    .where(
      sql<boolean>`(id, local_date) in (select id, local_date from texts where state = 'claimed'
        and lease_until < ${wall} order by id limit ${limit} for update skip locked)`,
    )
    .returning(['id', 'local_date'])
    .execute();
}

export function takeMissed(trx: Trx, now: Date, limit: number): Promise<MissedText[]> {
  return inIndexOrder(trx, () =>
    trx
      .updateTable('texts')
      .set({ state: 'missed', reason: missedReason, settled_at: now })
      .where(
        sql<boolean>`(id, local_date) in (select id, local_date from texts where state = 'queued'
          and deadline_at <= ${now} order by deadline_at limit ${limit} for update skip locked)`,
      )
      .returning(settledColumns)
      .returning('reason')
      .execute(),
  );
}

export function takeGivenUp(trx: Trx, now: Date, limit: number): Promise<MissedText[]> {
  return inIndexOrder(trx, () =>
    trx
      .updateTable('texts')
      .set({ state: 'missed', reason: 'frozen_skipped', settled_at: now })
      .where(
        sql<boolean>`(id, local_date) in (select id, local_date from texts where state = 'queued'
          and ${isGivenUp} order by next_attempt_at limit ${limit} for update skip locked)`,
      )
      .returning(settledColumns)
      .returning('reason')
      .execute(),
  );
}
