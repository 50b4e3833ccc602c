import { setTimeout as delay } from 'node:timers/promises';
import type { QueueRun } from '@daylift/contracts/sms.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import { noteActivity } from '@daylift/server/activity';
import type { SmsDeps } from '../deps.ts';
import { SendingFrozen } from '../errors.ts';
import { stopReason } from '../freeze/why-stopped.ts';
import { sendTexts } from '../texts/send-texts.ts';
import { countOutcomes, findOpenIds } from './queue.repository.ts';
import { groupSize } from './send-queue.ts';

const maxRunMs = 20_000;
const maxTexts = 5_000;
const pollMs = 100;

/**
 * Processes the queue in this process, beside the workers, until each text that was due at the call has been tried or
 * 20 s have passed. Counts those texts' outcomes no matter who sent them, so a second click counts the same ones
 * again.
 */
export async function processQueue(deps: SmsDeps, by: ActingAdmin): Promise<QueueRun> {
  if ((await stopReason(deps.db)) === 'frozen') throw new SendingFrozen();
  const ids = await findOpenIds(deps.db, deps.clock.now(), maxTexts);
  if (ids.length === 0) return { processed: 0, failed: 0, total: 0 };
  const adminAction = { action: 'queue.processed', target: null, details: { texts: ids.length } };
  await deps.db
    .transaction()
    .execute((trx) => publishAdminAction(trx, 'sms', by, adminAction, deps.clock.now()));
  const deadline = Date.now() + maxRunMs;
  const work = async () => {
    for (let first = 0; first < ids.length; first += groupSize) {
      if (Date.now() >= deadline || deps.limiter.isLineClosed()) return;
      await sendTexts(deps, ids.slice(first, first + groupSize)).catch((error: unknown) =>
        deps.log.warn({ err: error }, 'send attempts failed'),
      );
    }
  };
  await Promise.race([work().finally(noteActivity), delay(maxRunMs, undefined, { ref: false })]);
  let counts = await countOutcomes(deps.db, ids, deps.clock.now());
  // Workers hold some of them.
  const mayWait = () => Date.now() < deadline && !deps.limiter.isLineClosed();
  while (counts.open > 0 && mayWait() && (await stopReason(deps.db)) === null) {
    await delay(pollMs);
    counts = await countOutcomes(deps.db, ids, deps.clock.now());
  }
  return {
    processed: ids.length - counts.open - counts.waiting,
    failed: counts.failed,
    total: ids.length,
  };
}
