import type { CanceledHeldTexts } from '@daylift/contracts/scheduler.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import { findMessage } from '../contents/contents.repository.ts';
import type { SchedulerDeps } from '../deps.ts';
import { cancelHeld } from '../dispatches/dispatches.repository.ts';
import { NoSuchMessage, SendNotFinished } from '../errors.ts';
import { findManualSend } from '../manual-sends/manual-sends.repository.ts';
import { planNext } from '../planning/replan.ts';
import { lockOrCreateSubscriber } from '../subscribers/subscribers.repository.ts';
import { countHeld, findHeldUsers } from './held-texts.repository.ts';

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

/** Locks subscribers before their dispatches, like all planning code. */
const cancelPage = (
  { db, clock, spreadMs }: SchedulerDeps,
  { send, message, title, by }: Cancellation,
  users: string[],
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    let canceled = 0;
    for (const userId of users) {
      const subscriber = await lockOrCreateSubscriber(trx, userId);
      const withdrawn = await cancelHeld(trx, userId, send);
      if (withdrawn === 0) continue;
      canceled += withdrawn;
      await planNext(trx, subscriber, clock.now(), spreadMs);
    }
    if (canceled > 0) {
      const details = { title, canceled };
      const action = { action: 'message.held_canceled', target: message, details };
      await publishAdminAction(trx, 'scheduler', by, action, clock.now());
    }
    return canceled;
  });
