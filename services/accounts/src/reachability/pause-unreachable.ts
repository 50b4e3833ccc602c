import { randomUUID } from 'node:crypto';
import { accountsEvents } from '@daylift/contracts/accounts.events';
import type { smsEvents } from '@daylift/contracts/sms.events';
import { publish } from '@daylift/events/publish';
import type { Static } from 'typebox';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { mailUser } from '../notices/mail-user.ts';
import { changeUser } from '../users/users.actions.ts';
import { lockUser } from '../users/users.repository.ts';
import { unreachableMail } from './words.ts';

type Unreachable = Static<(typeof smsEvents)['sms.recipient.unreachable']>;

/**
 * Pauses the texts to a number that doesn't get them, by asking for a YES again, and emails the subscriber once. Its
 * proof or a new number ends that. A number that may have a new owner is asked immediately; the others get no texts.
 */
export async function pauseUnreachable(
  trx: Trx,
  { user_id, recipient_version, reason, at }: Unreachable,
  deps: Pick<AccountsDeps, 'clock' | 'product'>,
): Promise<void> {
  const user = await lockUser(trx, user_id);
  if (user === undefined || user.phone === null || user.unreachable !== null) return;
  const isEarlierNumber =
    user.pending_phone === null && recipient_version < user.phone_since_version;
  const isConfirmedSince = user.phone_proven_at !== null && user.phone_proven_at > new Date(at);
  if (isEarlierNumber || isConfirmedSince || user.consent === 'revoked') return;
  const now = deps.clock.now();
  const change = { unreachable: reason, unreachable_since: now, consent: 'pending' as const };
  const paused = await changeUser(trx, user, change, now, { by: 'system' });
  // A pending number has its own request, and its YES replaces the silent one.
  if (reason === 'inactive' && user.pending_phone === null) {
    const request = {
      ...{ request_id: randomUUID(), user_id, recipient_version: paused.version },
      ...{ asked_at: now.toISOString(), by_system: true },
    };
    await publish(trx, accountsEvents, 'accounts.consent.asked', request, now);
  }
  const key = `unreachable:${user.id}:${paused.version}`;
  await mailUser(trx, paused, { key, ...unreachableMail(paused, deps.product, reason) }, now);
}
