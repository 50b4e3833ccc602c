import type { TimelineEntry } from '@daylift/contracts/timeline.http';
import type {
  BilledCredit,
  BilledInvoice,
  BilledRefund,
  BillingPart,
  SubscriptionSnapshot,
} from '@daylift/contracts/timeline-parts.http';
import { entry, type Reader } from '../entries.ts';
import { dayOf, moneyInWords } from './clock.ts';

export function invoiceEntry(reader: Reader, invoice: BilledInvoice): TimelineEntry {
  const { amount_cents: cents, currency, status, attempts, paid_at } = invoice;
  const money = moneyInWords(Math.abs(cents), currency);
  const failed = status === 'open' && attempts > 0;
  const titles: Record<string, string> = {
    paid: cents < 0 ? `Credit of ${money}` : `Paid ${money}`,
    open: failed ? `Charge of ${money} failed` : `Bill of ${money}`,
    uncollectible: `Bill of ${money} given up`,
    void: `Bill of ${money} taken back`,
  };
  return entry(reader, {
    id: `invoice:${invoice.id}`,
    kind: 'payments',
    at: invoice.created_at,
    tone: status === 'paid' ? 'good' : failed || status === 'uncollectible' ? 'bad' : 'plain',
    title: titles[status] ?? `Bill of ${money}: ${status}`,
    detail: failed ? `Tried ${attempts === 1 ? 'once' : `${attempts} times`}.` : null,
    steps: [
      { at: invoice.created_at, what: 'Billed' },
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
  });
}

export function creditEntry(reader: Reader, credit: BilledCredit): TimelineEntry {
  const money = moneyInWords(credit.amount_cents, credit.currency);
  const words: Record<string, [string, string]> = {
    earned: [`Earned a credit of ${money}`, 'A friend who came by their link paid.'],
    taken_back: [`Credit of ${money} taken back`, 'The friend’s payment was given back.'],
    refused: ['No credit for a friend', 'Same phone, address or card as theirs.'],
  };
  const [title, detail] = words[credit.outcome ?? ''] ?? [
    `Credit of ${money} is being looked at`,
    'A friend who came by their link paid.',
  ];
  return entry(reader, {
    id: `credit:${credit.id}`,
    kind: 'payments',
    at: credit.paid_at,
    title,
    detail,
  });
}

const actors: Record<SubscriptionSnapshot['actor'], string> = {
  subscriber: 'by the subscriber, on the page',
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
    by: actors[after.actor],
  });
}

const begun: Record<string, string> = {
  trial: 'Free trial began',
  active: 'Paid period began',
  past_due: 'A payment is overdue',
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
  const said: string[] = [];
  if (before === null || before.status !== after.status)
    said.push(begun[after.status] ?? `Subscription is ${after.status}`);
  if (before === null) said.push(`Plan: ${after.plan}`);
  else if (before.plan !== after.plan)
    said.push(`Plan switched from ${before.plan} to ${after.plan}`);
  if ((before?.cancel_at_period_end ?? false) !== after.cancel_at_period_end)
    said.push(
      after.cancel_at_period_end
        ? `Will not renew${end === null ? '' : `: ends on ${end}`}`
        : 'Renews again',
    );
  else if (end !== null && before?.current_period_end !== after.current_period_end)
    said.push(`Lasts until ${end}`);
  if (before?.entitled === true && !after.entitled) said.push('No more texts');
  return said;
}

/** What somebody had, in words that stand alone. */
export function standingInWords(
  { status, plan, trial_end, current_period_end }: SubscriptionSnapshot,
  timezone: string,
): string {
  const until = (instant: string | null) =>
    instant === null ? '' : ` until ${dayOf(instant, timezone)}`;
  const words: Record<string, string> = {
    trial: `Free trial${until(trial_end)}`,
    active: `Paid, ${plan}${until(current_period_end)}`,
    past_due: 'A payment was overdue',
    canceled: 'Ended',
    expired: 'Expired',
  };
  return words[status] ?? status;
}
