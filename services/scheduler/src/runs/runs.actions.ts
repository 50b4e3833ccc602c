import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { SchedulerRun } from '@daylift/contracts/scheduler.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { SchedulerDeps } from '../deps.ts';
import { runBatch } from '../dispatches/batch-names.ts';
import { releaseDue } from '../dispatches/release.actions.ts';
import { RunNotFinished } from '../errors.ts';
import { planDueSubscribers } from '../planning/planner.loop.ts';
import {
  beginRun,
  expireRuns,
  findLastEffectiveRun,
  findRun,
  findRunUnderWay,
  finishRun,
} from './runs.repository.ts';
import type { Run } from './runs.table.ts';

/** Wall clock; longer than any run, so only a dead process's run expires. */
const leaseMs = 60_000;
const followMs = 20_000;
/** Two requests within this span of product time count as one. */
const doubleClickMs = 10_000;

/**
 * Releases what is due now. One run at a time: a concurrent caller gets the result of the run in progress, and so does
 * a caller right after it if nothing else is due.
 */
export async function runScheduler(deps: SchedulerDeps, by: ActingAdmin): Promise<SchedulerRun> {
  const { db, clock } = deps;
  const deadline = Date.now() + followMs;
  while (Date.now() < deadline) {
    await expireRuns(db, new Date(), clock.now());
    const ownRun = await beginOwnRun(deps, by);
    if (ownRun !== undefined) return carryOut(deps, ownRun);
    const other = await findRunUnderWay(db);
    if (other !== undefined) return follow(deps, other, deadline);
  }
  throw new RunNotFinished();
}

function beginOwnRun({ db, clock }: SchedulerDeps, by: ActingAdmin): Promise<Run | undefined> {
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    const lease_until = new Date(Date.now() + leaseMs);
    const run = await beginRun(trx, { id: randomUUID(), requested_at: now, lease_until });
    const adminAction = { action: 'scheduler.run', target: null };
    if (run !== undefined) await publishAdminAction(trx, 'scheduler', by, adminAction, now);
    return run;
  });
}

async function carryOut(deps: SchedulerDeps, run: Run): Promise<SchedulerRun> {
  const { db, clock } = deps;
  let result: SchedulerRun = { scheduled: 0, batch_id: null };
  try {
    while ((await planDueSubscribers(deps)) > 0);
    result = await releaseAll(deps, run);
    if (result.scheduled === 0) {
      const before = await findLastEffectiveRun(
        db,
        new Date(clock.now().getTime() - doubleClickMs),
      );
      if (before !== undefined) result = resultOf(before);
    }
  } finally {
    await finishRun(db, run.id, result, clock.now());
  }
  return result;
}

async function releaseAll(deps: SchedulerDeps, run: Run): Promise<SchedulerRun> {
  const batch = runBatch(run.id, {
    now: run.requested_at,
    operatorTimezone: deps.operatorTimezone,
  });
  let scheduled = 0;
  for (;;) {
    const { claimed, released } = await releaseDue(deps, batch);
    scheduled += released;
    if (claimed === 0) return { scheduled, batch_id: scheduled === 0 ? null : batch.id };
  }
}

async function follow({ db }: SchedulerDeps, other: Run, deadline: number): Promise<SchedulerRun> {
  while (Date.now() < deadline) {
    const run = await findRun(db, other.id);
    if (run !== undefined && run.finished_at !== null) return resultOf(run);
    await delay(50);
  }
  throw new RunNotFinished();
}

const resultOf = ({ scheduled, batch_id }: Run): SchedulerRun => ({ scheduled, batch_id });
