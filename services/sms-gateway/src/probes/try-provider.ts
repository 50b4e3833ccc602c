import type { TryProviderResult } from '@daylift/contracts/freeze.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { SmsDeps } from '../deps.ts';
import { SendingFrozen } from '../errors.ts';
import { stopReason } from '../freeze/why-stopped.ts';
import { describePause } from '../provider/describe-pause.ts';
import { findSendPause, tryAt } from '../provider/send-pause.repository.ts';
import { takeTextToTry } from '../queue/queue.repository.ts';
import { probe } from './probe-sending.ts';

/** How many texts are tried until one gets to the provider. */
const maxTexts = 20;

/** Sends one text now, rather than at the scheduled time, to check whether the provider works. */
export async function tryProvider(deps: SmsDeps, by: ActingAdmin): Promise<TryProviderResult> {
  const { db, clock } = deps;
  const stopped = await stopReason(db);
  if (stopped === 'frozen') throw new SendingFrozen();
  if (stopped === null) return { result: 'works', provider: null };
  const now = clock.now();
  await db.transaction().execute(async (trx) => {
    await tryAt(trx, now);
    await publishAdminAction(trx, 'sms', by, { action: 'provider.tried', target: null }, now);
  });
  const tried: string[] = [];
  let isTried = false;
  while (!isTried && tried.length < maxTexts) {
    const id = await takeTextToTry(db, now, tried);
    if (id === undefined) break;
    isTried = (await probe(deps, id)) !== false;
    tried.push(id);
  }
  const pause = await findSendPause(db);
  if (pause === null) return { result: 'works', provider: null };
  return { result: isTried ? 'refused' : 'nothing_to_try', provider: describePause(pause) };
}
