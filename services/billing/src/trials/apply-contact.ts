import type { UserContact } from '@daylift/contracts/accounts.events';
import { lockCustomer, storeContact } from '../customers/customers.repository.ts';
import {
  addProvenContacts,
  friendsWithContact,
  isTrialOfAnother,
} from '../customers/proven-contacts.repository.ts';
import { hasUsedTrial } from '../customers/trial-uses.repository.ts';
import type { Trx } from '../database.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { reconsider } from '../referrals/referrals.actions.ts';
import { closeSubscription, providerIdsOf } from '../subscriptions/subscriptions.actions.ts';
import { lockSubscription } from '../subscriptions/subscriptions.repository.ts';

/**
 * Stores the newest contact and records what was proven: trials and referral credits are one per address and number.
 */
export async function applyContact(trx: Trx, contact: UserContact, now: Date): Promise<void> {
  const { user_id: userId } = contact;
  const customer = await lockCustomer(trx, userId);
  if (customer === undefined || customer.deleted_at !== null) return;
  if (contact.version > customer.contact_version) {
    await storeContact(trx, contact);
    if (customer.stripe_customer_id !== null)
      await enqueueTask(trx, 'update_customer', [userId], now);
  }
  if (!(await addProvenContacts(trx, userId, provenMarksOf(contact), now))) return;
  if ((await hasUsedTrial(trx, userId)) && (await isTrialOfAnother(trx, userId)))
    await endSecondTrial(trx, userId, now);
  await reconsider(trx, userId, now);
  for (const friend of await friendsWithContact(trx, userId)) await reconsider(trx, friend, now);
}

function provenMarksOf({ email_proven, email_hash, phone_proven, phone_hash }: UserContact) {
  return [
    ...(email_proven && email_hash !== null ? [{ kind: 'email' as const, mark: email_hash }] : []),
    ...(phone_proven && phone_hash !== null ? [{ kind: 'phone' as const, mark: phone_hash }] : []),
  ];
}

async function endSecondTrial(trx: Trx, userId: string, now: Date): Promise<void> {
  const row = await lockSubscription(trx, userId);
  if (row?.status !== 'trial') return;
  if (row.stripe_subscription_id === null) await closeSubscription(trx, row, 'expired', now);
  else await enqueueTask(trx, 'end_trial', providerIdsOf(row), now);
}
