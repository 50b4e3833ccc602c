import { formatInstant } from '@daylift/clock/format-instant';
import type { SpendLimitInfo } from '@daylift/contracts/sms-operations.http';
import { reasonInWords } from '@daylift/delivery/reason-words';
import { shareOf, type Tally } from './exceeds.ts';
import type { BatchTally, FailureReason } from './failures.repository.ts';

export interface AlertPlace {
  productName: string;
  /** URL of the admin page. */
  url: string;
  /** The operators' time zone. */
  timezone: string;
}

export interface Words {
  subject: string;
  text: string;
}

const count = (value: number) => new Intl.NumberFormat('en-US').format(value);
const percent = (tally: Tally) => `${Math.round(shareOf(tally) * 1_000) / 10}%`;
const maxBatchesNamed = 5;

const ending = ({ url }: AlertPlace) => [
  '',
  `Queue, delivery log and settings: ${url}`,
  'You get at most one of these emails per hour.',
];

const failuresOf = (tally: Tally) =>
  `${count(tally.failed)} of ${count(tally.failed + tally.successful)} texts failed (${percent(tally)})`;

export function failureWords(
  place: AlertPlace,
  found: {
    threshold: number;
    batches: BatchTally[];
    hour: Tally | null;
    reasons: FailureReason[];
  },
): Words {
  const { batches, hour, reasons } = found;
  const named = batches.slice(0, maxBatchesNamed);
  const worst = [...batches, ...(hour === null ? [] : [hour])].toSorted(
    (one, other) => shareOf(other) - shareOf(one),
  )[0]!;
  const lines = [
    ...named.map(
      (batch) =>
        `- ${batch.name}, started ${formatInstant(batch.created_at, place.timezone)}: ${failuresOf(batch)}.` +
        (batch.is_held ? ' The rest is held until you resume it.' : ''),
    ),
    ...(batches.length > named.length
      ? [`- and ${batches.length - named.length} more batches`]
      : []),
    ...(hour === null ? [] : [`- In the last hour: ${failuresOf(hour)}.`]),
    '',
    'Most common reasons:',
    ...reasons.map(({ reason, texts }) => `- ${count(texts)}: ${reasonInWords(reason)}`),
  ];
  return {
    subject: `${place.productName}: ${percent(worst)} of texts failed`,
    text: [
      `More texts failed than your threshold of ${found.threshold}%. Opt-outs and tests don't count.`,
      '',
      ...lines,
      ...ending(place),
    ].join('\n'),
  };
}

export function pauseWords(
  place: AlertPlace,
  pause: { reason: string; is_outage: boolean; paused_at: Date; probe_at: Date; waiting: number },
): Words {
  const what = pause.is_outage
    ? 'the provider has been down'
    : 'the provider has been rejecting every text';
  const advice = pause.is_outage
    ? 'Check the provider’s status page. Texts that were in flight may or may not have been sent; we’re checking with the provider.'
    : 'Fix the problem with the provider: the account, its balance, the API key or the number.';
  return {
    subject: `${place.productName}: sending is paused`,
    text: [
      `Since ${formatInstant(pause.paused_at, place.timezone)} ${what}. ${reasonInWords(pause.reason)}`,
      `Texts waiting: ${count(pause.waiting)}. They go out as soon as the provider accepts texts again, if they're still on time.`,
      `Next retry: ${formatInstant(pause.probe_at, place.timezone)}. ${advice}`,
      ...ending(place),
    ].join('\n'),
  };
}

export function errorWords(
  place: AlertPlace,
  errors: { code: string; texts: number; action: string }[],
): Words {
  const codes = [...new Set(errors.map(({ code }) => code))].join(', ');
  return {
    subject: `${place.productName}: provider error ${codes}`,
    text: [
      'The provider returned errors that need attention. Counts are since yesterday:',
      '',
      ...errors.map(
        ({ code, texts, action }) =>
          `- ${count(texts)}: ${reasonInWords(`provider_${code}`)} ${action}`,
      ),
      ...ending(place),
    ].join('\n'),
  };
}

export function blockListWords(
  place: AlertPlace,
  { added, lifted }: { added: number; lifted: number },
): Words {
  return {
    subject: `${place.productName}: opt-outs differ from the provider's block list`,
    text: [
      ...(added > 0
        ? [
            `Numbers that the provider blocked and that weren't opted out here: ${count(added)}. They are opted out now; check whether webhooks with replies were lost.`,
          ]
        : []),
      ...(lifted > 0
        ? [
            `Numbers opted out here that the provider no longer blocks: ${count(lifted)}. They stay opted out until the subscriber texts START.`,
          ]
        : []),
      ...ending(place),
    ].join('\n'),
  };
}

const dollars = (value: number) => `$${value.toFixed(2)}`;
const spendSoFar = ({ limit, spent, reserved, refused }: SpendLimitInfo) =>
  `About ${dollars(spent)} of today's ${dollars(limit)} limit is spent, and texts due before midnight UTC need ${dollars(reserved)}. Texts refused so far: ${count(refused)}. Only replies, and codes and consent requests to numbers without an active, confirmed subscriber, are refused.`;

export function spendLimitWords(place: AlertPlace, limit: SpendLimitInfo): Words {
  return {
    subject: `${place.productName}: texts refused to stay within the provider's daily spend limit`,
    text: [
      spendSoFar(limit),
      "Daily texts aren't affected. Raise the limit in the provider's portal and in TELNYX_DAILY_SPEND_LIMIT, or check for a flood of signups.",
      ...ending(place),
    ].join('\n'),
  };
}

export function shortfallWords(place: AlertPlace, limit: SpendLimitInfo, shortfall: number): Words {
  return {
    subject: `${place.productName}: today's texts need more than the provider's daily spend limit`,
    text: [
      `Today's texts need about ${dollars(shortfall)} more than the limit. Raise it in the provider's portal and in TELNYX_DAILY_SPEND_LIMIT, or some won't be sent.`,
      spendSoFar(limit),
      ...ending(place),
    ].join('\n'),
  };
}

export function testingModeWords(place: AlertPlace, since: Date): Words {
  return {
    subject: `${place.productName}: testing mode is still on`,
    text: [
      `Testing mode has been on since ${formatInstant(since, place.timezone)}. All texts go to the test number instead of subscribers.`,
      "If you're done testing, turn it off.",
      '',
      `Testing mode: ${place.url}`,
    ].join('\n'),
  };
}

export function libraryWords(
  place: Omit<AlertPlace, 'timezone'>,
  { category, days }: { category: string; days: number },
): Words {
  const ahead = `in ${days} ${days === 1 ? 'day' : 'days'}`;
  return {
    subject: `${place.productName}: library texts in "${category}" ${days === 0 ? 'have run out' : `run out ${ahead}`}`,
    text: [
      days === 0
        ? `A subscriber has received every library text in "${category}".`
        : `A subscriber will have received every library text in "${category}" ${ahead}.`,
      'Texts repeat for subscribers who have received every category. Add library messages, or schedule messages for the coming days.',
      '',
      `Library: ${place.url}`,
    ].join('\n'),
  };
}

export function missingContentWords(place: Omit<AlertPlace, 'timezone'>, date: string): Words {
  return {
    subject: `${place.productName}: nothing to send on ${date}`,
    text: [
      `No message is scheduled for ${date}, and the library has no active messages. Unless you add one, no one gets a text that day.`,
      'Schedule a message or activate library messages.',
      '',
      `Messages: ${place.url}`,
    ].join('\n'),
  };
}
