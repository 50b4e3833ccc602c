import type { FreezeState, LiftRequest } from '@daylift/contracts/freeze.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { SmsDeps } from '../deps.ts';
import { OtherFreeze } from '../errors.ts';
import { describePause } from '../provider/describe-pause.ts';
import { findSendPause, tryAt } from '../provider/send-pause.repository.ts';
import { countFigures } from './figures.repository.ts';
import {
  findFreeze,
  isFrozen,
  lockFreeze,
  makeTriedDue,
  saveFreeze,
  saveLift,
  waitForMarks,
} from './freeze.repository.ts';

type Deps = Pick<SmsDeps, 'db' | 'clock'>;

export async function readFreeze({ db, clock }: Deps): Promise<FreezeState> {
  const now = clock.now();
  const [freeze, pause] = await Promise.all([findFreeze(db), findSendPause(db)]);
  const frozen = isFrozen(freeze);
  const figures = await countFigures(db, now, frozen ? freeze.frozen_at : null);
  return {
    frozen,
    since: frozen ? (freeze.frozen_at?.toISOString() ?? null) : null,
    by: frozen ? freeze.frozen_by : null,
    reason: frozen ? freeze.reason : null,
    ...figures,
    provider: pause === null ? null : describePause(pause),
  };
}

/** Nobody who stops all sending waits longer than this for the answer. */
const longestWaitForMarksMs = 300;

/**
 * Stops all sending. Every statement that lets a text go to the provider looks at this row, so that none does once the
 * transaction is through; a call that was decided before it begins within a second or not at all. Frozen twice is once.
 */
export async function freezeSending(
  deps: Deps,
  reason: string | null,
  by: ActingAdmin,
): Promise<FreezeState> {
  const { db, clock } = deps;
  await db.transaction().execute(async (trx) => {
    if (isFrozen(await lockFreeze(trx))) return;
    const now = clock.now();
    await saveFreeze(trx, { frozen_at: now, frozen_by: by.username, reason });
    const deed = { action: 'sending.frozen', target: null };
    await publishAdminAction(trx, 'sms', by, deed, now);
  });
  // So that the answer counts all that is in flight, also what was decided at the same moment.
  await waitForMarks(db, longestWaitForMarksMs);
  return readFreeze(deps);
}

/**
 * Lets sending start again. What fell due meanwhile goes as far as its windows allow, or is given up; it is decided text
 * by text, when each one's turn comes, so that this answers at once however many wait. Lifted twice is once.
 */
export async function liftFreeze(
  deps: Deps,
  { missed, since }: LiftRequest,
  by: ActingAdmin,
): Promise<FreezeState> {
  const { db, clock } = deps;
  await db.transaction().execute(async (trx) => {
    const freeze = await lockFreeze(trx);
    if (!isFrozen(freeze)) return;
    if (since !== undefined && freeze.frozen_at?.getTime() !== Date.parse(since))
      throw new OtherFreeze();
    const now = clock.now();
    await saveLift(trx, {
      lifted_at: now,
      ...(missed === 'skip' ? { skipped_until: now } : {}),
    });
    if (missed === 'skip') await makeTriedDue(trx, now);
    // What the operator has mended should not wait for the next appointed try.
    await tryAt(trx, now);
    const deed = { action: 'sending.started_again', target: null, details: { missed } };
    await publishAdminAction(trx, 'sms', by, deed, now);
  });
  return readFreeze(deps);
}
