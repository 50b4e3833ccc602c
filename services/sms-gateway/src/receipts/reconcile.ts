import type { Clock } from '@daylift/clock/clock';
import { dayMs, hourMs, minuteMs } from '@daylift/clock/durations';
import { inIndexOrder } from '@daylift/database/index-order';
import type { Logger } from '@daylift/server/logger';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { SmsProvider } from '../provider/provider.ts';
import type { TextsTable } from '../texts/texts.table.ts';
import { evidenceOf } from './receipt.ts';
import { applyEvidence, countProgress } from './receipts.actions.ts';

export interface ReconcileDeps {
  db: Kysely<SmsDatabase>;
  clock: Clock;
  log: Logger;
  provider: SmsProvider;
}

type TextRow = Selectable<TextsTable>;

const perLook = 20;
const firstPauseMs = 15 * minuteMs;
/** A text may wait in the provider's queue, and has no record until it leaves it. */
const longestQueueMs = 4 * hourMs + 10 * minuteMs;
/** The provider deletes messages after ten days. */
const forgottenAfterMs = 9 * dayMs;
/** Allowed difference between the provider's time for a text and ours. */
const slackMs = 5 * minuteMs;

/** Asks the provider about texts with overdue receipts or a lost response. Never resends. */
export async function reconcile(deps: ReconcileDeps): Promise<number> {
  const texts = await claimUnresolved(deps.db, deps.clock.now());
  await Promise.all(
    texts.map((text) =>
      clear(deps, text).catch((error: unknown) =>
        // The next lookup is already scheduled.
        deps.log.warn({ err: error, text_id: text.id }, 'provider lookup failed'),
      ),
    ),
  );
  return texts.length;
}

export async function nextReconcileAt(db: Kysely<SmsDatabase>, now: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('texts')
    .select((select) => select.fn.min('check_at').as('at'))
    .where('check_at', '>', now)
    .executeTakeFirst();
  return row?.at ?? null;
}

/**
 * Schedules the next lookup before running this one, with exponential back-off, so replicas share the work and a crash
 * only delays it.
 */
async function claimUnresolved(db: Kysely<SmsDatabase>, now: Date): Promise<TextRow[]> {
  return inIndexOrder(db, (trx) =>
    trx
      .updateTable('texts')
      .set({
        checks: sql`checks + 1`,
        check_at: sql`${now}::timestamptz + least(power(2, checks), 96) * ${firstPauseMs / 1_000} * interval '1 second'`,
      })
      .where(
        sql<boolean>`(id, local_date) in (select id, local_date from texts where check_at <= ${now}
        order by check_at limit ${perLook} for update skip locked)`,
      )
      .returningAll()
      .execute(),
  );
}

async function clear(deps: ReconcileDeps, text: TextRow): Promise<void> {
  const providerId = text.provider_id ?? (await findProviderId(deps, text));
  const message = providerId === null ? null : await deps.provider.lookUp(providerId);
  const now = deps.clock.now();
  const age = now.getTime() - (text.handed_at ?? text.created_at).getTime();
  if (message === null) {
    const hopeless = text.provider_id === null ? age > longestQueueMs : age > forgottenAfterMs;
    if (hopeless) await stopLookups(deps.db, text);
    return;
  }
  const progress = await deps.db.transaction().execute(async (trx) => {
    const current = await trx
      .selectFrom('texts')
      .selectAll()
      .where('id', '=', text.id)
      .where('local_date', '=', text.local_date)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (current.finalized_at !== null) return null;
    return applyEvidence(trx, current, evidenceOf(message), now, current.check_at);
  });
  if (progress !== null) countProgress(progress);
}

async function findProviderId(deps: ReconcileDeps, text: TextRow): Promise<string | null> {
  if (text.to_number === null || text.handed_at === null) return null;
  return deps.provider.findRecord({
    id: text.id,
    to: text.to_number,
    from: new Date(text.handed_at.getTime() - slackMs),
    until: new Date(text.handed_at.getTime() + longestQueueMs),
  });
}

/** The state stays as it is, because it can no longer be determined. */
async function stopLookups(db: Kysely<SmsDatabase>, text: TextRow): Promise<void> {
  await db
    .updateTable('texts')
    .set({ check_at: null, reason: sql`coalesce(reason, 'no_evidence')` })
    .where('id', '=', text.id)
    .where('local_date', '=', text.local_date)
    .where('finalized_at', 'is', null)
    .execute();
}
