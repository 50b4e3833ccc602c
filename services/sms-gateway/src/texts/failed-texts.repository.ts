import type { FailedSource } from '@daylift/events/failed/failed-source';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { maxFailedAttempts } from './failed-attempts.repository.ts';
import { publishSettled } from './settled.ts';
import { keyOf, localDateOf } from './text-ids.ts';

const open = (db: Kysely<SmsDatabase>, type: string | undefined) => {
  const texts = db
    .selectFrom('break_offs')
    .innerJoinLateral(
      (text) =>
        text
          .selectFrom('texts')
          .selectAll()
          .whereRef('id', '=', 'break_offs.text_id')
          .whereRef('local_date', '=', 'break_offs.local_date')
          .where('state', '=', 'queued')
          // Looked up by key, whatever size the planner estimates for the queue.
          .offset(0)
          .as('texts'),
      (join) => join.onTrue(),
    )
    .where('break_offs.times', '>=', maxFailedAttempts);
  return type === undefined ? texts : texts.where('texts.kind', '=', type as 'daily');
};

/** Texts with repeated failed attempts. Without an admin's action they end as missed. */
export const failedTexts: FailedSource<SmsDatabase> = {
  kind: 'text',
  async list(db, only) {
    const rows = await open(db, only.type)
      .select(['texts.id', 'texts.kind', 'texts.user_id', 'texts.local_date', 'texts.deadline_at'])
      .select(['break_offs.times', 'break_offs.error', 'break_offs.last_at'])
      .orderBy('break_offs.last_at')
      .orderBy('texts.id')
      .limit(only.limit)
      .execute();
    return rows.map(({ id, kind, user_id, local_date, deadline_at, times, error, last_at }) => ({
      key: id,
      type: kind,
      parked_at: last_at,
      tries: times,
      error: error ?? 'The worker stopped responding.',
      payload: { local_date, deadline_at: deadline_at.toISOString() },
      user_id,
    }));
  },
  async count(db, only) {
    const { count } = await open(db, only.type)
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  },
  async lock(trx, id) {
    if (localDateOf(id) === null) return null;
    const { local_date } = keyOf(id);
    const broken = await trx
      .selectFrom('break_offs')
      .select('times')
      .where('text_id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (broken === undefined) return null;
    const text = await trx
      .selectFrom('texts')
      .select(['state', 'reason'])
      .where('id', '=', id)
      .where('local_date', '=', local_date)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (text.state === 'skipped' && text.reason === 'discarded') return 'discarded';
    return text.state === 'queued' && broken.times >= maxFailedAttempts ? 'parked' : 'replayed';
  },
  async replay(trx, id, now) {
    await trx.updateTable('break_offs').set({ times: 0 }).where('text_id', '=', id).execute();
    await trx
      .updateTable('texts')
      .set({ next_attempt_at: now, enqueued_at: null, reason: null })
      .where('id', '=', id)
      .where('local_date', '=', keyOf(id).local_date)
      .execute();
  },
  async discard(trx, id, now) {
    const text = await trx
      .updateTable('texts')
      .set({ state: 'skipped', reason: 'discarded', settled_at: now })
      .where('id', '=', id)
      .where('local_date', '=', keyOf(id).local_date)
      .where('state', '=', 'queued')
      .returning(['id', 'user_id', 'local_date', 'batch_id', 'scheduled_message_id', 'is_test'])
      .executeTakeFirstOrThrow();
    await publishSettled(trx, [{ text, outcome: 'skipped', reason: 'discarded' }], now);
  },
};
