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

/** Maximum time that a freeze waits before it responds. */
const maxWaitForMarksMs = 300;

/**
 * Stops all sending. Every statement that releases a text to the provider reads this row, so none does after the
 * commit; a call decided earlier starts within a second or not at all. Idempotent.
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
    const details = reason === null ? {} : { details: { reason } };
    const adminAction = { action: 'sending.frozen', target: null, ...details };
    await publishAdminAction(trx, 'sms', by, adminAction, now);
  });
  // Lets the response count texts that were marked at the same moment.
  await waitForMarks(db, maxWaitForMarksMs);
  return readFreeze(deps);
}

/**
 * Lifts the freeze. Texts that became due before this are sent if their windows allow, or abandoned, each in its turn.
 * Idempotent.
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
    // The operator may have fixed the provider, so don't wait for the next scheduled probe.
    await tryAt(trx, now);
    const adminAction = { action: 'sending.started_again', target: null, details: { missed } };
    await publishAdminAction(trx, 'sms', by, adminAction, now);
  });
  return readFreeze(deps);
}
