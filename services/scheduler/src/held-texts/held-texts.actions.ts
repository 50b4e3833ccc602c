import type { CanceledHeldTexts } from '@daylift/contracts/scheduler.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import { findMessage } from '../contents/contents.repository.ts';
import type { SchedulerDeps } from '../deps.ts';
import { NoSuchMessage, SendNotFinished } from '../errors.ts';
import { findHeldUsers, findManualSend } from '../manual-sends/manual-sends.repository.ts';
import { withdrawHeld } from '../manual-sends/withdraw-held.ts';
import { countHeld } from './held-texts.repository.ts';

const pageSize = 200;

/**
 * Cancels a manual send's held texts and plans those subscribers' usual texts again. Stops at the time limit of a manual
 * send; call it again to continue.
 */
export async function cancelHeldTexts(
  deps: SchedulerDeps,
  messageId: string,
  by: ActingAdmin,
): Promise<CanceledHeldTexts> {
  const { db } = deps;
  const [message, send] = await Promise.all([
    findMessage(db, messageId),
    findManualSend(db, messageId),
  ]);
  if (message === undefined || send === undefined) throw new NoSuchMessage();
  if (send.finished_at === null) throw new SendNotFinished();
  const deadline = Date.now() + deps.manualSendWaitMs;
  let canceled = 0;
  for (;;) {
    const users = await findHeldUsers(db, send.id, pageSize);
    if (users.length === 0 || Date.now() >= deadline) break;
    canceled += await cancelPage(
      deps,
      { send: send.id, message: messageId, title: message.title, by },
      users,
    );
  }
  return { canceled, left: await countHeld(db, send.id) };
}

interface Cancellation {
  send: string;
  message: string;
  title: string;
  by: ActingAdmin;
}

const cancelPage = (
  deps: SchedulerDeps,
  { send, message, title, by }: Cancellation,
  users: string[],
): Promise<number> =>
  deps.db.transaction().execute(async (trx) => {
    const canceled = await withdrawHeld(trx, deps, send, users);
    if (canceled > 0) {
      const details = { title, canceled };
      const action = { action: 'message.held_canceled', target: message, details };
      await publishAdminAction(trx, 'scheduler', by, action, deps.clock.now());
    }
    return canceled;
  });
