import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { SmsDeps } from '../deps.ts';
import { NumberChanging, UnknownRecipient } from '../errors.ts';
import { isOptedOut } from '../opt-outs/opt-outs.repository.ts';
import { recordOptOut } from '../opt-outs/opt-outs.ts';
import { findRecipient, lockRecipient } from '../recipients/recipients.repository.ts';
import { insertStaffOptOut } from './staff-opt-outs.repository.ts';

/**
 * Opts out a subscriber who asked an admin. As with STOP, only a START from the phone reverses it. Does nothing if the
 * number is already opted out.
 */
export async function optOutByStaff(
  { db, clock }: Pick<SmsDeps, 'db' | 'clock'>,
  user_id: string,
  note: string,
  by: ActingAdmin,
): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (trx) => {
    const recipient = await findRecipient(trx, user_id);
    const numberHash = recipient?.number_hash ?? null;
    if (numberHash === null) throw new UnknownRecipient();
    if (await isOptedOut(trx, numberHash)) return;
    const { admin_id, username } = by;
    const admin = { admin_id, username };
    // Locks the number before its recipients, as STOP does.
    await recordOptOut(trx, { numberHash, at: now, source: 'staff', admin, user_id, now });
    if ((await lockRecipient(trx, user_id))?.number_hash !== numberHash) throw new NumberChanging();
    await insertStaffOptOut(trx, { user_id, opted_out_at: now, admin: username, note });
    const action = { action: 'user.opted_out', target: user_id, details: {} };
    await publishAdminAction(trx, 'sms', by, action, now);
  });
}
