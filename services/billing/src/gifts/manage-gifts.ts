import { randomUUID } from 'node:crypto';
import type { AdminRole } from '@daylift/contracts/fields';
import type { Gift as Shown } from '@daylift/contracts/gifts.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { queueMail } from '@daylift/mail/mail';
import { emailAsSeenBy } from '@daylift/server/mask-contact';
import type { ActingStaff } from '../acting-staff.ts';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { GiftBuyerErased, GiftUsed, UnknownGift } from '../errors.ts';
import { eraseBuyer } from './erase-gifts.ts';
import { hashOfCode } from './gift-codes.ts';
import { giftBought } from './gift-words.ts';
import {
  deleteUnsentMails,
  findGift,
  type Gift,
  type ListedGift,
  listGifts,
  lockBuyer,
  lockGift,
  lockGiftsOf,
  retryFirstMail,
  updateGift,
} from './gifts.repository.ts';
import { rejectUnlessReady } from './redeem-gift.ts';

/** Emails the link to the buyer again. */
export function resendGift(deps: BillingDeps, id: string, by: ActingStaff): Promise<Shown> {
  const { clock, product, giftCodes } = deps;
  return manage(deps, id, by, 'gift.resent', async (trx, gift) => {
    await rejectUnlessReady(trx, gift);
    if (gift.buyer_email === '') throw new GiftBuyerErased();
    // Differs from the stored one only if the secret was replaced.
    await updateGift(trx, id, { code_hash: hashOfCode(giftCodes.codeOf(id)) });
    // It has the link to the invoice too.
    if (await retryFirstMail(trx, id, clock.now())) return {};
    const mail = { key: `gift:${id}:${randomUUID()}`, to: gift.buyer_email, eraseWhenSent: true };
    await queueMail(trx, { ...mail, ...giftBought(product, gift, null) }, clock.now());
    return {};
  });
}

/** Ends a gift's link. The money stays: refunding the payment in full does the same. */
export function voidGift(deps: BillingDeps, id: string, by: ActingStaff): Promise<Shown> {
  return manage(deps, id, by, 'gift.voided', async (trx, gift) => {
    if (gift.redeemed_by !== null) throw new GiftUsed();
    if (gift.voided_at !== null) return null;
    await updateGift(trx, id, { voided_at: deps.clock.now() });
    await deleteUnsentMails(trx, id);
    return {};
  });
}

/** Erases the buyer from all gifts bought with the same address. */
export function eraseGiftBuyer(
  deps: BillingDeps,
  id: string,
  reason: string,
  by: ActingStaff,
): Promise<Shown> {
  const act = async (trx: Trx, { buyer_email }: Gift) => {
    if (buyer_email === '') return null;
    const gifts = await lockGiftsOf(trx, { email: buyer_email });
    await eraseBuyer(trx, gifts, deps.clock.now());
    return { gifts: gifts.length, reason };
  };
  return manage(deps, id, by, 'gift.buyer_erased', act, findGift);
}

async function manage(
  deps: BillingDeps,
  id: string,
  by: ActingStaff,
  action: string,
  /** Returns details for the audit log, or null if nothing is left to do. */
  act: (trx: Trx, gift: Gift) => Promise<object | null>,
  /** Must not lock if `act` locks several. */
  find: (trx: Trx, id: string) => Promise<Gift | undefined> = lockGift,
): Promise<Shown> {
  await deps.db.transaction().execute(async (trx) => {
    await lockBuyer(trx, (await findGift(trx, id))?.buyer_email ?? '');
    const gift = await find(trx, id);
    if (gift === undefined || gift.paid_at === null) throw new UnknownGift();
    const details = await act(trx, gift);
    if (details === null) return;
    await publishAdminAction(
      trx,
      'billing',
      by,
      { action, target: id, details: { months: gift.months, ...details } },
      deps.clock.now(),
    );
  });
  const { rows } = await listGifts(deps.db, { limit: 1, offset: 0, id });
  return show(rows[0]!, by.role);
}

export function show(gift: ListedGift, role: AdminRole): Shown {
  const { id, months, buyer_name, redeemed_by, redeemed_at } = gift;
  return {
    ...{ id, months, buyer_name, state: stateOf(gift) },
    buyer_email: gift.buyer_email === '' ? '' : emailAsSeenBy(role, gift.buyer_email),
    paid_cents: gift.paid_cents ?? 0,
    currency: gift.currency ?? '',
    bought_at: gift.paid_at?.toISOString() ?? '',
    redeemed_at: redeemed_at?.toISOString() ?? null,
    redeemed_by: redeemed_by === null ? null : { id: redeemed_by, name: gift.recipient_name ?? '' },
  };
}

function stateOf({ hold, voided_at, redeemed_by }: ListedGift): Shown['state'] {
  if (hold !== null) return hold === 'refunded' ? 'refunded' : 'disputed';
  if (redeemed_by !== null) return 'redeemed';
  return voided_at === null ? 'ready' : 'void';
}
