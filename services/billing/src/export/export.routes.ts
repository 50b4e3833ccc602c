import type { ExportPart } from '@daylift/contracts/accounts.http';
import { billingApi } from '@daylift/contracts/billing.api';
import { ownStatusOf } from '@daylift/contracts/shown-status';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import { catalogueFor } from '../customers/currency.ts';
import { creditOf } from '../customers/customers.actions.ts';
import { findCustomer } from '../customers/customers.repository.ts';
import type { BillingDeps } from '../deps.ts';
import { findDisputes } from '../disputes/disputes.repository.ts';
import { findGiftsBoughtBy, findGiftsRedeemedBy, giftEnd } from '../gifts/gifts.repository.ts';
import { listUserInvoices } from '../invoices/user-invoices.ts';
import { findLostDays } from '../lost-days/lost-days.repository.ts';
import { findChangesOf } from '../price-changes/price-changes.repository.ts';
import { readFigures } from '../referrals/referrals.repository.ts';
import { findSubscription, type Subscription } from '../subscriptions/subscriptions.repository.ts';
import {
  exportCheckouts,
  exportMails,
  exportPlanChange,
  exportStaffActions,
  exportSubscriptionChanges,
  exportTrialMarks,
} from './export.repository.ts';

/** More invoices than anyone has. */
const allInvoices = 1000;
const allLostDays = 10_000;
const allGifts = 1000;

export function exportRoutes(app: Server, deps: BillingDeps): void {
  implement(app, billingApi, {
    'GET /internal/export/:id': ({ params }) => exportPerson(deps, params.id),
  });
}

async function exportPerson(
  deps: Pick<BillingDeps, 'db' | 'catalogues' | 'countryCurrencies' | 'clock'>,
  userId: string,
): Promise<ExportPart> {
  const { db, clock } = deps;
  const customer = await findCustomer(db, userId);
  if (customer === undefined) return {};
  const { currency } = catalogueFor(deps, customer);
  const { email, name, past_names, timezone, plan, registered_at } = customer;
  const [
    subscription,
    changes,
    invoices,
    referrals,
    checkouts,
    trial_marks,
    lostDays,
    last_change,
    mails,
    given,
    price_changes,
    bought,
    redeemed,
    disputes,
  ] = await Promise.all([
    findSubscription(db, userId),
    exportSubscriptionChanges(db, userId),
    listUserInvoices(db, userId, { limit: allInvoices }),
    readFigures(db, userId),
    exportCheckouts(db, userId),
    exportTrialMarks(db, userId),
    findLostDays(db, userId, { until: clock.now(), limit: allLostDays }),
    exportPlanChange(db, userId),
    // Mail belongs to the reader of the address. Only a proof shows who that is.
    customer.email_proven ? exportMails(db, userId) : [],
    exportStaffActions(db, userId),
    findChangesOf(db, userId),
    findGiftsBoughtBy(db, userId),
    findGiftsRedeemedBy(db, userId, { until: clock.now(), limit: allGifts }),
    findDisputes(db, userId),
  ]);
  return {
    customer: { email, name, past_names, timezone, plan, currency, registered_at },
    subscription: subscription === undefined ? null : exportSubscription(subscription),
    subscription_changes: changes,
    staff_actions: given,
    price_changes,
    gifts_bought: bought.map(
      ({ months, buyer_name, buyer_email, message, paid_at, paid_cents, redeemed_at }) => ({
        ...{ months, buyer_name, buyer_email, message, paid_at, paid_cents, redeemed_at },
      }),
    ),
    gifts_redeemed: redeemed.map((gift) => {
      const { months, buyer_name, message, redeemed_at } = gift;
      return { months, from: buyer_name, message, redeemed_at, ends_at: giftEnd(gift) };
    }),
    checkouts,
    trial_marks,
    last_change,
    invoices,
    disputes: disputes.map(({ state, reason, amount_cents, currency, created_at }) => ({
      ...{ state, reason, amount_cents, currency, created_at },
    })),
    mails,
    credits: {
      balance_cents: creditOf(customer),
      currency,
      referrals,
      lost_days: lostDays.map(({ local_date, decision, credit_cents, settled_at }) => ({
        ...{ local_date, decision, credit_cents, settled_at },
      })),
    },
  };
}

function exportSubscription(row: Subscription): ExportPart {
  return {
    status: ownStatusOf(row.status, row.entitled),
    plan: row.plan,
    price_cents: row.price_cents,
    started_at: row.started_at,
    trial_end: row.trial_end,
    current_period_end: row.current_period_end,
    cancel_at_period_end: row.cancel_at_period_end,
    card: row.card_brand === null ? null : { brand: row.card_brand, last4: row.card_last4 },
    next_charge_at: row.next_charge_at,
    next_charge_cents: row.next_charge_cents,
  };
}
