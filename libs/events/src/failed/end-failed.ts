import type { ReplayAllResult, ReplayOutcome } from '@daylift/contracts/failed.http';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import { createError, NotFound, Unavailable } from '@daylift/server/error';
import { redact } from '@daylift/server/logger';
import type { Kysely, Transaction } from 'kysely';
import { isOutage } from '../handle-event.ts';
import type { FailedSource } from './failed-source.ts';

const AlreadyEnded = createError(
  'PARKED_ENDED_MEANWHILE',
  'Another admin has already %s this.',
  409,
);

export interface FailedDeps<T> {
  db: Kysely<T>;
  clock: { now(): Date };
  sources: FailedSource<T>[];
  /** Records the admin action in its transaction. */
  record(
    trx: Transaction<T>,
    by: ActingAdmin,
    adminAction: { action: string; target: string; details: Record<string, unknown> },
    now: Date,
  ): Promise<void>;
}

/** Replays one failed item in one transaction with its mark. If that fails, it stays with the new reason. */
export async function replayFailed<T>(
  deps: FailedDeps<T>,
  id: string,
  by: ActingAdmin,
): Promise<ReplayOutcome> {
  const { source, key } = find(deps, id);
  try {
    await endAs(deps, id, 'replayed', by);
    return { outcome: 'replayed', error: null };
  } catch (error) {
    if (source.fail === undefined || isAnswer(error)) throw error;
    if (isOutage(error))
      throw new Unavailable('The database is unavailable right now. Please try again.');
    const why = redact(error instanceof Error ? error.message : String(error));
    await deps.db.transaction().execute(async (trx) => {
      await source.fail?.(trx, key, why);
      const adminAction = { action: 'parked.replay_failed', target: id, details: {} };
      await deps.record(trx, by, adminAction, deps.clock.now());
    });
    return { outcome: 'parked', error: why };
  }
}

export async function discardFailed<T>(
  deps: FailedDeps<T>,
  id: string,
  by: ActingAdmin,
): Promise<ReplayOutcome> {
  find(deps, id);
  await endAs(deps, id, 'discarded', by);
  return { outcome: 'discarded', error: null };
}

/** Idempotent: only the first call acts and is recorded. */
async function endAs<T>(
  deps: FailedDeps<T>,
  id: string,
  as: 'replayed' | 'discarded',
  by: ActingAdmin,
): Promise<void> {
  const { source, key } = find(deps, id);
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    const standing = await source.lock(trx, key);
    if (standing === null) throw notFound();
    if (standing === as) return;
    if (standing !== 'parked')
      throw new AlreadyEnded(standing === 'discarded' ? 'discarded' : 'replayed');
    if (as === 'replayed') await source.replay(trx, key, now);
    else await source.discard(trx, key, now);
    await deps.record(trx, by, { action: `parked.${as}`, target: id, details: {} }, now);
  });
}

const replayBatchSize = 500;

/** Replays all of one kind, oldest first, within a call's time. A failure doesn't stop the others. */
export async function replayAllFailed<T>(
  deps: FailedDeps<T>,
  { kind, type }: { kind: string; type: string },
  by: ActingAdmin,
  forMs: number,
): Promise<ReplayAllResult> {
  const source = deps.sources.find((one) => one.kind === kind);
  if (source === undefined) throw notFound();
  const until = Date.now() + forMs;
  const result = { replayed: 0, parked: 0, left: 0 };
  for (const { key } of await source.list(deps.db, { type, limit: replayBatchSize })) {
    if (Date.now() > until) break;
    // Another admin may have ended it first.
    const done = await replayFailed(deps, `${kind}.${key}`, by).catch((error: unknown) => {
      if ((error as { statusCode?: number }).statusCode === 503) throw error;
      return null;
    });
    if (done?.outcome === 'replayed') result.replayed += 1;
    if (done?.outcome === 'parked') result.parked += 1;
  }
  const open = await source.count(deps.db, { type });
  return { ...result, left: Math.max(0, open - result.parked) };
}

function find<T>(deps: FailedDeps<T>, id: string): { source: FailedSource<T>; key: string } {
  const dot = id.indexOf('.');
  const source = deps.sources.find((one) => one.kind === id.slice(0, dot));
  if (source === undefined) throw notFound();
  return { source, key: id.slice(dot + 1) };
}

const notFound = () => new NotFound('Failed event not found.');

const isAnswer = (error: unknown): boolean =>
  typeof (error as { statusCode?: unknown }).statusCode === 'number';
