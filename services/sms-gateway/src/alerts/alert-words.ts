import { reasonInWords } from '@daylift/delivery/reason-words';
import { shareOf, type Tally } from './exceeds.ts';
import type { BatchTally, FailureReason } from './failures.repository.ts';

export interface AlertPlace {
  productName: string;
  /** URL of the admin page. */
  url: string;
}

export interface Words {
  subject: string;
  text: string;
}

const stamp = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  dateStyle: 'medium',
  timeStyle: 'short',
});
const stampOf = (instant: Date) => `${stamp.format(instant)} UTC`;
const count = (value: number) => new Intl.NumberFormat('en-US').format(value);
const percent = (tally: Tally) => `${Math.round(shareOf(tally) * 1_000) / 10}%`;
const mostBatchesNamed = 5;

const ending = ({ url }: AlertPlace) => [
  '',
  `Queue, delivery log and settings: ${url}`,
  'Such a mail comes at most once an hour.',
];

const ofHowMany = (tally: Tally) =>
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
  const named = batches.slice(0, mostBatchesNamed);
  const worst = [...batches, ...(hour === null ? [] : [hour])].toSorted(
    (one, other) => shareOf(other) - shareOf(one),
  )[0]!;
  const lines = [
    ...named.map(
      (batch) => `- ${batch.name}, begun ${stampOf(batch.created_at)}: ${ofHowMany(batch)}.`,
    ),
    ...(batches.length > named.length
      ? [`- and ${batches.length - named.length} more batches`]
      : []),
    ...(hour === null ? [] : [`- In the last hour: ${ofHowMany(hour)}.`]),
    '',
    'Most frequent reasons:',
    ...reasons.map(({ reason, texts }) => `- ${count(texts)}: ${reasonInWords(reason)}`),
  ];
  return {
    subject: `${place.productName}: ${percent(worst)} of texts failed`,
    text: [
      `More texts failed than your threshold of ${found.threshold}%. Opt-outs and tests are not counted.`,
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
  const what = pause.is_outage ? 'the provider is down' : 'the provider refuses every text';
  const mend = pause.is_outage
    ? 'Look at the provider’s status page. Texts that were on their way may or may not have left; they are not sent again.'
    : 'What has to be mended is with the provider: the account, its money, the key or the number.';
  return {
    subject: `${place.productName}: sending is paused`,
    text: [
      `Since ${stampOf(pause.paused_at)} ${what}. ${reasonInWords(pause.reason)}`,
      `${count(pause.waiting)} texts wait. Each goes as soon as the provider takes texts again, if its hours have not passed by then.`,
      `The next try is at ${stampOf(pause.probe_at)}. ${mend}`,
      ...ending(place),
    ].join('\n'),
  };
}

export function testingModeWords(place: AlertPlace, since: Date): Words {
  return {
    subject: `${place.productName}: testing mode is still on`,
    text: [
      `Testing mode is on since ${stampOf(since)}: every text goes to the test number, and no subscriber gets any.`,
      'If the test is over, switch it off.',
      '',
      `Testing mode: ${place.url}`,
    ].join('\n'),
  };
}

export function missingContentWords(place: AlertPlace, date: string): Words {
  return {
    subject: `${place.productName}: nothing to send on ${date}`,
    text: [
      `For ${date} no message is scheduled, and the library has none either. Without one nobody gets a text that day.`,
      'Schedule a message, or make templates of the library active.',
      '',
      `Messages: ${place.url}`,
    ].join('\n'),
  };
}
