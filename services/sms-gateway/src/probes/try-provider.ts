import type { TryProviderResult } from '@daylift/contracts/freeze.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { SmsDeps } from '../deps.ts';
import { SendingFrozen } from '../errors.ts';
import { stopReason } from '../freeze/why-stopped.ts';
import { describePause } from '../provider/describe-pause.ts';
import { findSendPause, tryAt } from '../provider/send-pause.repository.ts';
import { bringForward, findDueIds } from '../queue/queue.repository.ts';
import { probeSending } from './probe-sending.ts';

/** Sends one text now, rather than at the scheduled time, to check whether the provider works. */
export async function tryProvider(deps: SmsDeps, by: ActingAdmin): Promise<TryProviderResult> {
  const { db, clock } = deps;
  const stopped = await stopReason(db);
  if (stopped === 'frozen') throw new SendingFrozen();
  if (stopped === null) return { result: 'works', provider: null };
  const now = clock.now();
  // A recently refused text that waits for its retry will do too.
  const waiting = (await findDueIds(db, now, 1))[0] ?? (await bringForward(db, now));
  await db.transaction().execute(async (trx) => {
    await tryAt(trx, now);
    await publishAdminAction(trx, 'sms', by, { action: 'provider.tried', target: null }, now);
  });
  if (waiting !== undefined) await probeSending(deps);
  const pause = await findSendPause(db);
  if (pause === null) return { result: 'works', provider: null };
  return {
    result: waiting === undefined ? 'nothing_to_try' : 'refused',
    provider: describePause(pause),
  };
}
