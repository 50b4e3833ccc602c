import { queueMail } from '@daylift/mail/mail';
import type Stripe from 'stripe';
import type { BillingDeps } from '../deps.ts';
import { idOf } from '../stripe-client.ts';
import { eraseBuyer } from './erase-gifts.ts';
import { giftBought } from './gift-words.ts';
import { eraseUnpaidBuyer, findGift, type Gift, lockGift, updateGift } from './gifts.repository.ts';

type Outcome = 'paid' | 'unpaid' | 'expired' | 'open' | 'pending';

/** Stores that a gift was paid, and emails its link to the buyer, once. */
export async function fulfillGift(
  deps: BillingDeps,
  session: Stripe.Checkout.Session,
): Promise<Outcome> {
  if (session.status === 'open') return 'open';
  const id = session.metadata?.gift_id;
  if (session.status === 'expired') {
    if (id !== undefined) await eraseUnpaidBuyer(deps.db, id);
    return 'expired';
  }
  if (session.status !== 'complete') return 'pending';
  if (session.payment_status === 'unpaid') return 'unpaid';
  const { db, clock, product, wake } = deps;
  // A payment link that an operator made at the provider.
  if (id === undefined) return 'paid';
  const known = await findGift(db, id);
  if (known === undefined) throw new Error(`the paid session ${session.id} has no gift`);
  if (known.paid_at !== null) return 'paid';
  const invoiceId = idOf(session.invoice);
  const pdfUrl = invoiceId === null ? null : await findPdf(deps, invoiceId);
  const now = clock.now();
  const paid = {
    paid_at: now,
    session_id: session.id,
    url: null,
    paid_cents: session.amount_total ?? 0,
    tax_cents: session.total_details?.amount_tax ?? 0,
    currency: session.currency,
    payment_intent_id: idOf(session.payment_intent),
    invoice_id: invoiceId,
    stripe_customer_id: idOf(session.customer),
  } satisfies Partial<Gift>;
  await db.transaction().execute(async (trx) => {
    const gift = await lockGift(trx, id);
    if (gift === undefined || gift.paid_at !== null) return;
    await updateGift(trx, id, paid);
    if (gift.buyer_name === '') await eraseBuyer(trx, [{ ...gift, ...paid }], now);
    const words = giftBought(product, { ...gift, ...paid }, pdfUrl);
    const mail = { key: `gift:${id}`, to: gift.buyer_email, eraseWhenSent: true, ...words };
    await queueMail(trx, mail, now);
  });
  wake('mail');
  return 'paid';
}

async function findPdf({ stripe, log }: BillingDeps, invoiceId: string): Promise<string | null> {
  try {
    return (await stripe.invoices.retrieve(invoiceId)).invoice_pdf ?? null;
  } catch (error) {
    log.warn(
      { err: error, invoice_id: invoiceId },
      'gift invoice unavailable; receipt sent without PDF',
    );
    return null;
  }
}
