import { smsEvents } from '@daylift/contracts/sms.events';
import { publish } from '@daylift/events/publish';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import {
  dateNumberChange,
  isOptedOut,
  type OptOutChange,
  storeOptOut,
  touchRecipients,
} from './opt-outs.repository.ts';

interface Change extends OptOutChange {
  now: Date;
  /** For the block list: the number sent a STOP keyword, which reached the provider only. */
  by_keyword?: boolean;
  /** Set if an admin opted them out. */
  admin?: { admin_id: string; username: string };
  /** The subscriber whom an admin opted out. */
  user_id?: string;
}

/**
 * Opts a number out. From this commit on nothing is sent to it: the statement that marks a text `inflight` checks the
 * recipient's revision. Only START from the phone lifts it. Returns whether the number could be texted before.
 */
export async function recordOptOut(
  trx: Transaction<SmsDatabase>,
  change: Change,
): Promise<boolean> {
  const written = await storeOptOut(trx, change, true);
  if (written === null) return false;
  const { numberHash, user_id: named } = change;
  for (const { user_id, at } of await touchRecipients(trx, { numberHash, at: written.at, named })) {
    await publish(
      trx,
      smsEvents,
      'sms.recipient.opted_out',
      {
        user_id,
        at: at.toISOString(),
        source: publishedSource(change),
        ...(change.admin && { admin: change.admin }),
      },
      change.now,
    );
  }
  return written.changed;
}

const publishedSource = ({ source, by_keyword = false }: Change) => {
  if (source !== 'block_list') return source;
  return by_keyword ? 'keyword' : 'provider';
};

export async function recordOptIn(
  trx: Transaction<SmsDatabase>,
  change: Omit<Change, 'source' | 'by_keyword' | 'admin' | 'user_id'>,
): Promise<void> {
  const written = await storeOptOut(trx, { ...change, source: 'keyword' }, false);
  if (written === null) return;
  const { numberHash } = change;
  for (const { user_id, at } of await touchRecipients(trx, { numberHash, at: written.at })) {
    await publish(
      trx,
      smsEvents,
      'sms.recipient.opted_in',
      { user_id, at: at.toISOString() },
      change.now,
    );
  }
}

/**
 * Publishes the opt-out state of a changed number. Other services store it per person: otherwise a
 * subscriber who stopped the old number would stay stopped, because START from the new number changes nothing.
 */
export async function publishOptOutState(
  trx: Transaction<SmsDatabase>,
  {
    user_id,
    before,
    after,
    now,
  }: { user_id: string; before: string | null; after: string | null; now: Date },
): Promise<void> {
  const isStopped = async (hash: string | null) => hash !== null && (await isOptedOut(trx, hash));
  const opted_out = await isStopped(after);
  if (opted_out === (await isStopped(before))) return;
  const at = await dateNumberChange(trx, user_id, now);
  await publish(
    trx,
    smsEvents,
    'sms.recipient.number_changed',
    { user_id, opted_out, at: at.toISOString() },
    now,
  );
}
