import type { BilledDispute } from '@daylift/contracts/billing.http';
import type { TimelineEntry } from '@daylift/contracts/timeline.http';
import type {
  BilledCredit,
  BilledInvoice,
  BilledLostDay,
  BilledRefund,
  BillingPart,
  PriceChangeEntry,
  RedeemedGiftEntry,
  StaffActionEntry,
  SubscriptionSnapshot,
} from '@daylift/contracts/timeline-parts.http';
import { reasonInWords } from '@daylift/delivery/reason-words';
import { entry, quoteFor, type Reader } from '../entries.ts';
import { dateInWords, dayOf, moneyInWords } from './clock.ts';

export function invoiceEntry(reader: Reader, invoice: BilledInvoice): TimelineEntry {
  const { amount_cents: cents, currency, status, attempts, paid_at } = invoice;
  const money = moneyInWords(Math.abs(cents), currency);
  const failed = status === 'open' && attempts > 0;
  const titles: Record<string, string> = {
    paid: cents < 0 ? `Credit of ${money}` : `Paid ${money}`,
    open: failed ? `Charge of ${money} failed` : `Invoice for ${money}`,
    uncollectible: `Invoice for ${money} uncollectible`,
    void: `Invoice for ${money} voided`,
  };
  return entry(reader, {
    id: `invoice:${invoice.id}`,
    kind: 'payments',
    at: invoice.created_at,
    tone: status === 'paid' ? 'good' : failed || status === 'uncollectible' ? 'bad' : 'plain',
    title: titles[status] ?? `Invoice for ${money}: ${status}`,
    detail: failed ? `${attempts === 1 ? '1 attempt' : `${attempts} attempts`}.` : null,
    steps: [
      { at: invoice.created_at, what: 'Invoiced' },
      ...(paid_at === null ? [] : [{ at: paid_at, what: 'Paid' }]),
    ],
  });
}

export function refundEntry(reader: Reader, refund: BilledRefund): TimelineEntry {
  const money = moneyInWords(refund.amount_cents, refund.currency);
  const failed = refund.status === 'failed' || refund.status === 'canceled';
  return entry(reader, {
    id: `refund:${refund.id}`,
    kind: 'payments',
    at: refund.created_at,
    tone: failed ? 'bad' : 'plain',
    title: failed ? `Refund of ${money} failed` : `Refunded ${money}`,
    ...(refund.staff !== undefined && {
      detail: reasonOf(reader, refund.staff.reason),
      by: `by ${refund.staff.admin}`,
    }),
  });
}

const reasonOf = (reader: Reader, reason: string): string | null =>
  reason === '' ? null : `Reason: ${quoteFor(reader, reason)}`;

const staffWords: Record<StaffActionEntry['kind'], (given: string, until: string) => string> = {
  refund: (amount) => `Refund of ${amount}`,
  credit: (amount) => `Credit of ${amount}`,
  free_days: (days, until) => `${days} of free texts, until ${until}`,
  extend_trial: (days, until) => `Trial extended by ${days}, until ${until}`,
  free_access: (_, until) => `Free access until ${until}`,
  cancel_now: () => 'Plan ended immediately',
  cancel_at_period_end: () => 'Plan canceled, ends with the current period',
};
const stateWords = { pending: ' (in progress)', done: '', failed: ' (failed)' };

export function staffEntry(reader: Reader, action: StaffActionEntry): TimelineEntry {
  const { kind, state, amount_cents, days, until, error } = action;
  const given =
    amount_cents === null
      ? `${days} ${days === 1 ? 'day' : 'days'}`
      : moneyInWords(amount_cents, action.currency);
  const day = until === null ? '' : dayOf(until, reader.timezone);
  const why = [error, reasonOf(reader, action.reason)].filter((one) => one !== null);
  return entry(reader, {
    id: `staff:${action.id}`,
    kind: 'payments',
    at: action.at,
    tone: state === 'failed' ? 'bad' : 'plain',
    title: `${staffWords[kind](given, day)}${stateWords[state]}`,
    detail: why.join(' ') || null,
    by: `by ${action.admin}`,
  });
}

export function priceEntry(reader: Reader, change: PriceChangeEntry): TimelineEntry {
  const { from_cents, to_cents, currency, announced_at, declined_at, state } = change;
  const from = moneyInWords(from_cents, currency);
  const day = dayOf(change.effective_at, reader.timezone);
  const outcome =
    state === 'dropped'
      ? "Didn't take effect."
      : declined_at !== null
        ? `Keeps ${from}; the plan ends on ${day}.`
        : `From ${day}.`;
  return entry(reader, {
    id: `price:${announced_at}`,
    kind: 'payments',
    at: announced_at,
    title: `Notified of a price change from ${from} to ${moneyInWords(to_cents, currency)}`,
    detail: outcome,
    steps: declined_at === null ? [] : [{ at: declined_at, what: 'Chose to end the plan instead' }],
  });
}

export function giftEntry(reader: Reader, gift: RedeemedGiftEntry): TimelineEntry {
  const day = dayOf(gift.until, reader.timezone);
  return entry(reader, {
    id: `gift:${gift.id}`,
    kind: 'payments',
    at: gift.at,
    tone: gift.returned ? 'bad' : 'good',
    title: `Gift redeemed: ${gift.months} ${gift.months === 1 ? 'month' : 'months'}`,
    detail: gift.returned
      ? `Free texts only until ${day}: its payment was refunded or disputed.`
      : `Free texts until ${day}.`,
    by: 'by the subscriber, on the website',
  });
}

const disputes: Record<BilledDispute['state'], { title: string; bad?: true }> = {
  inquiry: { title: 'Bank inquiry about a payment of' },
  open: { title: 'The bank is reviewing a payment of', bad: true },
  won: { title: 'Won the dispute about a payment of' },
  lost: { title: 'Lost the dispute about a payment of', bad: true },
  closed: { title: 'Bank inquiry closed for a payment of' },
};

export function disputeEntry(reader: Reader, dispute: BilledDispute): TimelineEntry {
  const { title, bad } = disputes[dispute.state];
  const by = dispute.respond_by === null ? null : dayOf(dispute.respond_by, reader.timezone);
  return entry(reader, {
    id: `dispute:${dispute.id}`,
    kind: 'payments',
    at: dispute.created_at,
    tone: bad ? 'bad' : 'plain',
    title: `${title} ${moneyInWords(dispute.amount_cents, dispute.currency)}`,
    detail: by === null ? null : `Evidence is due on ${by}.`,
  });
}

export function creditEntry(reader: Reader, credit: BilledCredit): TimelineEntry {
  const money = moneyInWords(credit.amount_cents, credit.currency);
  const words: Record<string, [string, string]> = {
    earned: [`Earned ${money} referral credit`, 'A friend they referred made a payment.'],
    taken_back: [
      `Referral credit of ${money} reversed`,
      'The friend’s payment was refunded or disputed.',
    ],
    refused: ['No referral credit', 'The friend has the same phone, email or card.'],
  };
  const [title, detail] = words[credit.outcome ?? ''] ?? [
    `Referral credit of ${money} pending`,
    'A friend they referred made a payment.',
  ];
  return entry(reader, {
    id: `credit:${credit.id}`,
    kind: 'payments',
    at: credit.paid_at,
    title,
    detail,
  });
}

const uncredited: Record<BilledLostDay['decision'], string | null> = {
  credited: null,
  trial: 'Trial days are free.',
  unpaid: 'The day wasn’t paid for.',
  over_limit: 'The limit was reached.',
  off: 'Credits are off.',
};

export function lostDayEntry(reader: Reader, day: BilledLostDay): TimelineEntry {
  const date = dateInWords(day.local_date);
  const why = [uncredited[day.decision], reasonInWords(day.reason)];
  return entry(reader, {
    id: `lost:${day.local_date}`,
    kind: 'payments',
    at: day.settled_at,
    title:
      day.decision === 'credited'
        ? `Credited ${moneyInWords(day.credit_cents, day.currency)} for ${date}, a day without a text`
        : `No credit for ${date}, a day without a text`,
    detail: why.filter((one) => one !== null).join(' ') || null,
  });
}

const actors: Record<SubscriptionSnapshot['actor'], string> = {
  subscriber: 'by the subscriber, on the website',
  reply: 'by the subscriber, by text',
  provider: 'by the payment provider',
  system: 'by the system',
};

export function planEntry(
  reader: Reader,
  { after, before }: BillingPart['changes'][number],
): TimelineEntry {
  const [title = 'Subscription changed', ...more] = planChanges(reader, after, before);
  return entry(reader, {
    id: `plan:${after.version}`,
    kind: 'changes',
    at: after.changed_at,
    tone: ['past_due', 'expired'].includes(after.status) ? 'bad' : 'plain',
    title,
    detail: more.length === 0 ? null : `${more.join('. ')}.`,
    by: after.staff === undefined ? actors[after.actor] : `by ${after.staff}`,
  });
}

const startWords: Record<string, string> = {
  trial: 'Free trial started',
  active: 'Paid period started',
  past_due: 'Payment overdue',
  canceled: 'Subscription ended',
  expired: 'Subscription expired',
  pending: 'Checkout opened',
};

function planChanges(
  { timezone }: Reader,
  after: SubscriptionSnapshot,
  before: SubscriptionSnapshot | null,
): string[] {
  const end = after.current_period_end === null ? null : dayOf(after.current_period_end, timezone);
  const changes: string[] = [];
  if (before === null || before.status !== after.status)
    changes.push(startWords[after.status] ?? `Subscription is ${after.status}`);
  if (before === null) changes.push(`Plan: ${after.plan}`);
  else if (before.plan !== after.plan)
    changes.push(`Plan switched from ${before.plan} to ${after.plan}`);
  if ((before?.cancel_at_period_end ?? false) !== after.cancel_at_period_end)
    changes.push(
      after.cancel_at_period_end
        ? `Won't renew${end === null ? '' : `; ends on ${end}`}`
        : 'Renewal restored',
    );
  else if (end !== null && before?.current_period_end !== after.current_period_end)
    changes.push(`Plan runs until ${end}`);
  if (before?.entitled === true && !after.entitled) changes.push('Texts stopped');
  if (before?.entitled === false && after.entitled && before.status === after.status)
    changes.push('Texts resumed');
  return changes;
}

export function standingInWords(
  { status, plan, trial_end, current_period_end }: SubscriptionSnapshot,
  timezone: string,
): string {
  const until = (instant: string | null) =>
    instant === null ? '' : ` until ${dayOf(instant, timezone)}`;
  const words: Record<string, string> = {
    trial: `Free trial${until(trial_end)}`,
    active: `Paid, ${plan}${until(current_period_end)}`,
    past_due: 'Payment overdue',
    canceled: 'Ended',
    expired: 'Expired',
  };
  return words[status] ?? status;
}
